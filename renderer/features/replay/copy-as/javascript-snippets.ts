import type { SnippetRequest } from './snippet-request.ts';

/** A call of `fetch`, for a browser's console or Node. JSON is a literal of JavaScript. */
export function fetchCall({ method, url, headers, body }: SnippetRequest): string {
  const options = JSON.stringify({ method, headers, ...(body !== null && { body }) }, null, 2);
  return `fetch(${JSON.stringify(url)}, ${options})\n  .then((response) => response.text())\n  .then(console.log);\n`;
}

/** A program for Node with its own client, which sends fields as they are written. */
export function nodeProgram({ method, url, headers, body }: SnippetRequest): string {
  const client = url.startsWith('https:') ? 'https' : 'http';
  return `const ${client} = require('node:${client}');

const options = ${JSON.stringify({ method, headers }, null, 2)};

const request = ${client}.request(${JSON.stringify(url)}, options, (response) => {
  response.pipe(process.stdout);
});
request.end(${body === null ? '' : JSON.stringify(body)});
`;
}

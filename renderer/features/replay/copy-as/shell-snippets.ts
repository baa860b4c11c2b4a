import { shellQuote } from '../../../../shared/format/commands/shell-quote.ts';
import type { SnippetRequest } from './snippet-request.ts';

/** PowerShell also accepts typographic quotation marks. */
function powershellQuote(text: string): string {
  return `'${text.replace(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`;
}

/**
 * A PowerShell command. Our own writer: the generator quotes neither `$(...)` in fields nor `'` in bodies, and recorded
 * text would run as a command.
 */
export function powershellCommand({ method, url, headers, body }: SnippetRequest): string {
  const fields = Object.entries(headers)
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, value]) => `  ${powershellQuote(name)} = ${powershellQuote(value)}`);
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return [
    `Invoke-WebRequest -Uri ${powershellQuote(url)} -Method ${powershellQuote(method)}`,
    ...(fields.length > 0 ? [`-Headers @{\n${fields.join('\n')}\n}`] : []),
    ...(type === undefined ? [] : [`-ContentType ${powershellQuote(type)}`]),
    ...(body === null ? [] : [`-Body ${powershellQuote(body)}`]),
  ].join(' `\n  ');
}

/**
 * An HTTPie command for a POSIX shell. Our own writer: the generator adds a line break to the body. A value that begins
 * with `=` or `@` would be JSON or a file to HTTPie, and is left out.
 */
export function httpieCommand({ method, url, headers, body }: SnippetRequest): string {
  const fields = Object.entries(headers).filter(([, value]) => !/^[=@]/.test(value));
  return [
    'http --ignore-stdin',
    ...(body === null ? [] : [`--raw ${shellQuote(body)}`]),
    `${method} ${shellQuote(url)}`,
    ...fields.map(([name, value]) => shellQuote(value === '' ? `${name};` : `${name}:${value}`)),
  ].join(' \\\n  ');
}

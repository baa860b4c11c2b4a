import { targets } from '@readme/httpsnippet/targets';

import type { SnippetRequest } from './snippet-request.ts';

/** The generator's own JavaScript is not used: it does not escape backslashes, and a body could end its string. */
const CLIENTS = {
  python: targets.python.clientsById.requests,
  go: targets.go.clientsById.native,
} as const;

/** The languages that the generator writes; `copy-as.ts` writes the others itself. */
export type SnippetLanguage = keyof typeof CLIENTS;

type Prepared = Parameters<NonNullable<(typeof CLIENTS)['go']>['convert']>[0];

/**
 * A program that sends the request. The generator's own preparation needs Node's `url` and parses URLs; the query
 * therefore stays part of the URL, and the body stays plain text, which it does not parse either.
 */
export function snippet({ method, url, headers, body }: SnippetRequest, language: SnippetLanguage): string {
  const { protocol, host, hostname, port, pathname, search } = new URL(url);
  const parts = { protocol, host, hostname, port: port || null, pathname, search, path: pathname + search };
  const prepared = {
    ...{ method, url, fullUrl: url, uriObj: { ...parts, query: {}, href: url }, queryObj: {}, queryString: [] },
    ...{ headers: [], headersObj: headers, allHeaders: headers, cookies: [], cookiesObj: {}, httpVersion: 'HTTP/1.1' },
    ...{ postData: { mimeType: 'text/plain', ...(body !== null && { text: body }) }, headersSize: 0, bodySize: 0 },
  };
  // The generator's type also lists HAR fields that none of these clients read.
  return String(CLIENTS[language]?.convert(prepared as unknown as Prepared));
}

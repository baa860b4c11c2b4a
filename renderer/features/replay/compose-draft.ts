import { urlOf } from '../../../shared/format/url.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { firstHeader, headerPairs } from '../../../shared/model/headers.ts';
import type { ComposedBody, ComposedRequest } from '../../../shared/model/replay/composed-request.ts';
import type { CodeLanguage } from '../../ui/editor/languages.ts';

/** A request written from scratch. */
export const NEW_REQUEST: ComposedRequest = {
  method: 'GET',
  url: '',
  headers: [],
  body: { kind: 'none' },
  protocol: 'as-before',
  rules: true,
  route: 'configured',
  redirects: false,
  variables: true,
};

/** The recorded request, to be edited. Text that looks like a variable is the client's own. */
export function requestOf({ request }: Exchange, body: ComposedBody): ComposedRequest {
  const headers = headerPairs(request.headers).filter(([name]) => !name.startsWith(':'));
  return { ...NEW_REQUEST, method: request.method, url: urlOf(request), headers, body, variables: false };
}

/** The fields as they are edited, one a line. */
export function headersText(headers: ComposedRequest['headers']): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n');
}

/** Reads such text. A line without a colon is a field without a value; empty lines are left out. */
export function headersIn(text: string): [string, string][] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':', 1);
      return colon < 0 ? [line.trim(), ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
}

/** Host and port as typed; empty until the URL has a scheme. */
function authorityIn(url: string): string {
  return /^https?:\/\/([^/?#]*)/i.exec(url.trim())?.[1] ?? '';
}

/** The request with another URL. A Host field that named the previous host follows; any other value was intended. */
export function withUrl(request: ComposedRequest, url: string): ComposedRequest {
  const [before, after] = [authorityIn(request.url), authorityIn(url)];
  const headers = request.headers.map(([name, value]): [string, string] => {
    const follows = name.toLowerCase() === 'host' && before !== '' && value === before && after !== '';
    return follows ? [name, after] : [name, value];
  });
  return { ...request, url, headers };
}

/** The editor's language for the request's body. */
export function languageOfBody({ headers }: ComposedRequest): CodeLanguage {
  const type = firstHeader(headers.flat(), 'content-type')?.toLowerCase() ?? '';
  if (type.includes('json')) return 'json';
  if (type.includes('html') || type.includes('xml')) return 'html';
  return type.includes('javascript') ? 'javascript' : 'text';
}

import { CURL_BODY_LIMIT, curlProblem } from '../../../../shared/format/commands/curl.ts';
import { urlOf } from '../../../../shared/format/url.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { headerPairs, type RawHeaders } from '../../../../shared/model/headers.ts';
import { showToast } from '../../../state/window-state.ts';
import { type App, attempt } from '../../app-context.ts';
import { bytesOf, curlBodyOf } from '../../inspector/body/read-body.ts';
import { fetchCall, nodeProgram } from './javascript-snippets.ts';
import { httpieCommand, powershellCommand } from './shell-snippets.ts';
import type { SnippetLanguage } from './snippet.ts';
import type { SnippetRequest } from './snippet-request.ts';

/** What a request can be copied as, besides cURL: the names in the menu. */
export const COPY_FORMS = {
  powershell: 'PowerShell',
  fetch: 'fetch',
  python: 'Python',
  node: 'Node',
  go: 'Go',
  httpie: 'HTTPie',
} as const satisfies Record<SnippetLanguage | 'powershell' | 'fetch' | 'node' | 'httpie', string>;
/** A form's key; the menu shows its name. */
export type CopyForm = keyof typeof COPY_FORMS;

/** Fields that each client generates, from the URL, the body and the codings that it can decode. */
const CLIENTS_OWN =
  /^(?::.*|host|content-length|connection|proxy-.*|transfer-encoding|accept-encoding|upgrade|keep-alive)$/i;

/** Programs have one value per name. Names that a shell could interpret are left out. */
function headersIn(headers: RawHeaders): Record<string, string> {
  const merged = new Map<string, [name: string, value: string]>();
  for (const [name, value] of headerPairs(headers)) {
    if (CLIENTS_OWN.test(name) || !/^[\w.-]+$/.test(name)) continue;
    const key = name.toLowerCase();
    const before = merged.get(key);
    merged.set(key, before ? [before[0], `${before[1]}${key === 'cookie' ? '; ' : ', '}${value}`] : [name, value]);
  }
  return Object.fromEntries(merged.values());
}

/** Percent-encoded, a mark can't end a string in any of the languages. */
const ENCODED: Record<string, string> = { "'": '%27', '"': '%22', '`': '%60', '\\': '%5C' };

/** The request as a snippet takes it, or why it can't be written as one. */
export function snippetRequest({ request }: Exchange, body: string | null): SnippetRequest | string {
  if (!/^[A-Za-z-]+$/.test(request.method)) return `Code can’t use the method ${JSON.stringify(request.method)}.`;
  const url = urlOf(request).replace(/['"`\\]/g, (mark) => ENCODED[mark] ?? mark);
  return { method: request.method, url, headers: headersIn(request.headers), body };
}

const OWN = { powershell: powershellCommand, httpie: httpieCommand, fetch: fetchCall, node: nodeProgram };

async function written(request: SnippetRequest, form: CopyForm): Promise<string> {
  if (form !== 'python' && form !== 'go') return OWN[form](request);
  // Its own bundle, which most windows never load.
  const { snippet } = await import('./snippet.ts');
  return snippet(request, form);
}

/** The request in this form, or null after a toast with the reason. */
export async function readSnippet(app: App, exchange: Exchange, form: CopyForm): Promise<string | null> {
  const refuse = (message: string) => {
    showToast(app.store, { tone: 'error', code: null, message, link: null });
    return null;
  };
  const problem = curlProblem(exchange);
  if (problem !== null) return refuse(problem);
  const body = await readText(app, exchange);
  if (body === undefined)
    return refuse('The request body is not text and can’t be part of a program. Copy it as cURL.');
  const request = snippetRequest(exchange, body);
  return typeof request === 'string' ? refuse(request) : await written(request, form);
}

/** Null: no body; undefined: it is not text. */
async function readText(app: App, { id, request }: Exchange): Promise<string | null | undefined> {
  if (request.body.size === 0) return null;
  const range = { side: 'request', form: 'raw', offset: 0, length: CURL_BODY_LIMIT } as const;
  const read = await attempt(app, () => app.api.request('body.read', { session: app.table.sessionId, id, ...range }));
  const body = read && curlBodyOf(bytesOf(read.data), read.data);
  return body?.form === 'text' ? body.data : undefined;
}

import { NEW_REQUEST } from '../compose-draft.ts';
import type { ParsedRequest } from './parsed-request.ts';

const FETCH = /^\s*(?:await\s+)?fetch\s*\(/;

export function looksLikeFetch(text: string): boolean {
  return FETCH.test(text);
}

/** The options that define what is sent. */
interface FetchOptions {
  method: string;
  headers: [string, string][];
  body: string | null;
  referrer: string;
  redirect: string;
}

/** Throws a TypeError for anything but text. */
function text(value: unknown, otherwise: string): string {
  if (value === undefined || value === null) return otherwise;
  if (typeof value !== 'string') throw new TypeError('not a text');
  return value;
}

function optionsOf(given: unknown): FetchOptions {
  const { method, headers, body, referrer, redirect } = Object(given) as Record<string, unknown>;
  return {
    method: text(method, 'GET').toUpperCase(),
    headers: Object.entries(Object(headers ?? {})).map(([name, value]) => [name, text(value, '')]),
    body: body === undefined || body === null ? null : text(body, ''),
    referrer: text(referrer, ''),
    redirect: text(redirect, 'follow'),
  };
}

function urlIn(value: unknown): string {
  if (typeof value !== 'string') throw new TypeError('no URL');
  return value;
}

/** Reads a call of `fetch` as browsers copy it: its arguments are JSON. Other JavaScript would have to run. */
export function parseFetch(pasted: string): ParsedRequest {
  const call = pasted.replace(FETCH, '').trimEnd().replace(/;$/, '').trimEnd();
  // In our own copy, code for the response follows, without a quotation mark.
  const end = call.search(/\)(?:\s*\.then\([^"]*)?$/);
  try {
    const [url, options = {}] = JSON.parse(`[${call.slice(0, Math.max(end, 0))}]`) as unknown[];
    const { method, headers, body, referrer, redirect } = optionsOf(options);
    const hasReferer = headers.some(([name]) => /^referer$/i.test(name));
    if (/^https?:/i.test(referrer) && !hasReferer) headers.push(['Referer', referrer]);
    return {
      ok: true,
      request: {
        ...NEW_REQUEST,
        method,
        url: urlIn(url),
        headers,
        body: body === null ? { kind: 'none' } : { kind: 'text', text: body },
        redirects: redirect === 'follow',
        variables: false,
      },
    };
  } catch {
    const problem = 'This fetch call can’t be read: copy it from a browser, which writes its arguments as JSON.';
    return { ok: false, problem };
  }
}

import { firstHeader } from '../../../shared/model/headers.ts';
import type { HeldMessage, Release } from '../../../shared/model/rule/held-message.ts';
import type { CodeLanguage } from '../../ui/editor/languages.ts';
import { bytesOf } from '../inspector/body/read-body.ts';

/** A held message as text fields. */
export interface HeldDraft {
  method: string;
  url: string;
  status: string;
  /** One field a line: `name: value`. */
  headers: string;
  /** Null: the body can't be edited as text. */
  body: string | null;
}

/** A release, and the body that it refers to as `written`; or the field that is wrong and why. */
export type DraftResult =
  | { ok: true; release: Release; body: string | null }
  | { ok: false; field: 'method' | 'status' | 'headers'; problem: string };

/** A field's name is a token (RFC 9110, section 5.6.2). Spaces around its value are not part of it (section 5.5). */
const FIELD = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+):[ \t]*(.*?)[ \t]*$/;
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Bytes as text; null if they are not UTF-8 text, which an editor would destroy. */
function textOf(base64: string): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytesOf(base64));
  } catch {
    return null;
  }
}

/** The message as the form shows it at first. A request has no status: its draft holds 200, which no field shows. */
export function draftOf({ method, url, status, headers, body }: HeldMessage): HeldDraft {
  return {
    ...{ method, url, status: String(status ?? 200) },
    headers: headers.map(([name, value]) => `${name}: ${value}`).join('\n'),
    body: body === null ? null : textOf(body),
  };
}

/** The initial response when the user answers a request. */
export const ANSWER: HeldDraft = {
  ...{ method: '', url: '', status: '200' },
  headers: 'content-type: application/json',
  body: '{}',
};

/** How to colour the body of a message with these fields; a stream's message has none. */
export function languageFor(headers: string, side: HeldMessage['side']): CodeLanguage {
  if (side === 'message') return 'json';
  const parsed = fieldsOf(headers);
  const type = (Array.isArray(parsed) && firstHeader(parsed.flat(), 'content-type')) || '';
  if (/json/i.test(type)) return 'json';
  if (/html|xml|svg/i.test(type)) return 'html';
  return /javascript/i.test(type) ? 'javascript' : 'text';
}

/** The fields, or the first invalid line. */
function fieldsOf(text: string): [string, string][] | string {
  const fields: [string, string][] = [];
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '') continue;
    const [, name, value] = FIELD.exec(line) ?? [];
    if (name === undefined || value === undefined) return line;
    fields.push([name, value]);
  }
  return fields;
}

/** How the message continues with the draft's changes: unchanged, if there are none. */
export function releaseOf(message: HeldMessage, draft: HeldDraft): DraftResult {
  const before = draftOf(message);
  if (JSON.stringify(before) === JSON.stringify(draft)) return { ok: true, release: { how: 'continue' }, body: null };
  const headers = fieldsOf(draft.headers);
  if (typeof headers === 'string')
    return { ok: false, field: 'headers', problem: `"${headers}" is not "name: value".` };
  const body = draft.body === before.body ? null : draft.body;
  const choice = body === null ? 'kept' : 'written';
  if (message.side === 'message') return { ok: true, release: { how: 'message', body: 'written' }, body: body ?? '' };
  if (message.side === 'response') return responseOf(draft, headers, body);
  const method = draft.method.trim();
  if (!TOKEN.test(method)) return { ok: false, field: 'method', problem: 'A method is one word, such as POST.' };
  return { ok: true, release: { how: 'request', method, url: draft.url.trim(), headers, body: choice }, body };
}

/** An answer in place of upstream. */
export function answerOf(draft: HeldDraft): DraftResult {
  const headers = fieldsOf(draft.headers);
  if (typeof headers === 'string')
    return { ok: false, field: 'headers', problem: `"${headers}" is not "name: value".` };
  return responseOf(draft, headers, draft.body);
}

/** Refuses 1xx: an interim response (RFC 9110, section 15.2) would leave the client waiting for the final one. */
function responseOf(draft: HeldDraft, headers: [string, string][], body: string | null): DraftResult {
  const status = Number(draft.status);
  if (!Number.isInteger(status) || status < 200 || status > 999)
    return { ok: false, field: 'status', problem: 'A status is a number from 200 to 999.' };
  return { ok: true, release: { how: 'response', status, headers, body: body === null ? 'kept' : 'written' }, body };
}

import type { RawHeaders } from '../model/headers.ts';
import { shared } from './shared-text.ts';

/** The fields that rules read; secrets are not among them. */
const FIELDS = [
  'accept',
  'accept-encoding',
  'access-control-max-age',
  'access-control-request-headers',
  'access-control-request-method',
  'age',
  'alt-svc',
  'cache-control',
  'connection',
  'content-encoding',
  'content-type',
  'etag',
  'expect',
  'expires',
  'if-modified-since',
  'if-none-match',
  'keep-alive',
  'last-modified',
  'location',
  'origin',
  'priority',
  'purpose',
  'range',
  'referer',
  'sec-fetch-dest',
  'sec-fetch-mode',
  'sec-fetch-site',
  'sec-purpose',
  'sec-websocket-extensions',
  'server-timing',
  'user-agent',
  'vary',
  'x-requested-with',
] as const;

export type FactField = (typeof FIELDS)[number];
/** Values by lower-case name; several fields of one name are joined by `, ` (RFC 9110, section 5.3). */
export type FactFields = { readonly [N in FactField]?: string };

/** Of these a fact keeps no more than their size and a hash. */
export interface SecretFields {
  authorization?: string;
  cookie?: string;
}

type AnyField = FactField | keyof SecretFields;

const KNOWN = new Set<string>([...FIELDS, 'authorization', 'cookie']);
/** Names as they were written -> the field, or null. Sessions write few names, many times each. */
const MOST_NAMES = 5000;
const names = new Map<string, AnyField | null>();

function fieldOf(name: string): AnyField | null {
  const known = names.get(name);
  if (known !== undefined) return known;
  const lower = name.toLowerCase();
  const field = KNOWN.has(lower) ? (lower as AnyField) : null;
  if (names.size < MOST_NAMES) names.set(name, field);
  return field;
}

/** One pass over the fields of a message. Secret ones go into `secrets`. */
export function factFields(headers: RawHeaders, secrets: SecretFields): FactFields {
  const found: { [N in FactField]?: string } = {};
  for (let at = 0; at < headers.length; at += 2) {
    const field = fieldOf(headers[at] ?? '');
    if (field === null) continue;
    const value = headers[at + 1] ?? '';
    if (field === 'cookie' || field === 'authorization') secrets[field] = joined(secrets[field], value);
    else found[field] = found[field] === undefined ? shared(value) : joined(found[field], value);
  }
  return found;
}

function joined(before: string | undefined, value: string): string {
  return before === undefined ? value : `${before}, ${value}`;
}

import { type JsonDifference, jsonDifferences } from '../../../../shared/compare/json-differences.ts';
import { parseExactly } from '../../../../shared/format/exact-json.ts';
import { textOf } from '../body/read-body.ts';
import type { ComparedBody } from './read-whole-body.ts';

/** Differences of two JSON documents that are listed. */
const MOST = 500;

/** How two bodies differ: JSON by structure, text by line, anything else by its hash. */
export type BodyDifference =
  /** `upTo`: bytes, if no more were compared; null: all were. */
  | { kind: 'same'; upTo: number | null }
  | { kind: 'json'; differences: JsonDifference[] }
  | { kind: 'text'; before: string[]; after: string[] }
  | { kind: 'binary'; before: string; after: string };

/** Compares two decoded bodies. Bodies with the same bytes are the same, whatever their codings were. */
export async function bodyDifference(before: ComparedBody, after: ComparedBody): Promise<BodyDifference> {
  const [was, is] = [before.bytes, after.bytes];
  if (was.length === is.length && was.every((byte, at) => byte === is[at]))
    return { kind: 'same', upTo: before.whole && after.whole ? null : was.length };
  const [wasText, isText] = [textOf(was), textOf(is)];
  if (wasText === null || isText === null)
    return { kind: 'binary', before: await hash(before), after: await hash(after) };
  const [wasJson, isJson] = [jsonOf(wasText), jsonOf(isText)];
  if (wasJson && isJson) return { kind: 'json', differences: jsonDifferences(wasJson.value, isJson.value, MOST) };
  return { kind: 'text', before: wasText.split(/\r?\n/), after: isText.split(/\r?\n/) };
}

/** Wrapped, because `null` is a JSON value too. Null: the text is not JSON. */
function jsonOf(text: string): { value: unknown } | null {
  try {
    return { value: parseExactly(text) };
  } catch {
    return null;
  }
}

/** With the length, because two hashes do not show which body is longer. */
async function hash({ bytes, whole }: ComparedBody): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `SHA-256 ${hex} (${whole ? '' : 'the first '}${bytes.length.toLocaleString('en')} bytes)`;
}

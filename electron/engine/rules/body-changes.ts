import { readFile, stat } from 'node:fs/promises';
import { parseExactly } from '../../../shared/format/exact-json.ts';
import { formatLimit } from '../../../shared/format/sizes.ts';
import { firstHeader, type RawHeaders } from '../../../shared/model/headers.ts';
import type { ChangeMessage } from '../../../shared/model/rule/actions.ts';
import { describe } from '../../failures/errors.ts';
import { refuseLockedHere } from '../../files/locked-here.ts';
import { decodeBody, encodeBody, haveSameCodings } from './codings.ts';
import { leastLength, merged, patched } from './json-changes.ts';
import { replaced } from './replacements.ts';

const UNCHANGED = 'the body is unchanged: ';

/** The largest body that rules edit, bytes, decoded or not. Larger ones pass unchanged. */
export const EDIT_LIMIT = 10 * 1024 * 1024;

export function changesBody({ body, bodyFile, replaceBody, mergeJson, patchJson }: ChangeMessage): boolean {
  return [body, bodyFile, replaceBody, mergeJson, patchJson].some((change) => change !== undefined);
}

/** Why a response has no body (RFC 9110, section 6.4.1), as part of a sentence; null: it has one, perhaps empty. */
export function bodilessProblem(method: string, status: number): string | null {
  if (method === 'HEAD') return `${UNCHANGED}a response to HEAD has none`;
  return status === 204 || status === 304 ? `${UNCHANGED}a response with ${status} has none` : null;
}

/** Messages that arrive piece by piece are not held until they are complete: they may never be. */
export function isStreamed(headers: RawHeaders): boolean {
  return /^(text\/event-stream|application\/grpc)/i.test(firstHeader(headers, 'content-type') ?? '');
}

/** Text and how to convert it back to bytes: UTF-8, or bytes as Latin-1 characters if it is not UTF-8. */
export function textOf(bytes: Buffer): { text: string; bytesOf: (text: string) => Buffer } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, bytesOf: (changed) => Buffer.from(changed, 'utf8') };
  } catch {
    return { text: bytes.toString('latin1'), bytesOf: (changed) => Buffer.from(changed, 'latin1') };
  }
}

/** To read a named pipe would wait for its writer, and some devices have no end. */
async function contentOf(file: string): Promise<Buffer> {
  const stats = await stat(file);
  if (!stats.isFile()) throw new Error(`${file} is not a file`);
  if (stats.size > EDIT_LIMIT) throw new Error(`${file} is larger than ${formatLimit(EDIT_LIMIT)}`);
  refuseLockedHere(file);
  return await readFile(file);
}

/** `body`: decoded, or why it can't be. Throws an Error whose message says why the change does not apply. */
async function edited(
  body: Buffer | string,
  { body: text, bodyFile, replaceBody, mergeJson, patchJson }: ChangeMessage,
): Promise<Buffer> {
  let bytes = body;
  if (text !== undefined) bytes = Buffer.from(text, 'utf8');
  if (bodyFile !== undefined) bytes = await contentOf(bodyFile);
  if (typeof bytes === 'string') throw new Error(bytes);
  if (replaceBody !== undefined) {
    const { text, bytesOf } = textOf(bytes);
    const changed = replaced(text, replaceBody, EDIT_LIMIT);
    // Unchanged bytes stay the same.
    if (changed !== text) bytes = bounded(bytesOf(changed));
  }
  return mergeJson === undefined && patchJson === undefined ? bytes : editedJson(bytes, { mergeJson, patchJson });
}

function editedJson(bytes: Buffer, { mergeJson, patchJson }: Pick<ChangeMessage, 'mergeJson' | 'patchJson'>): Buffer {
  let value: unknown;
  try {
    value = parseExactly(bytes.toString('utf8'));
  } catch {
    throw new Error('it is not JSON');
  }
  if (mergeJson !== undefined) value = merged(value, mergeJson);
  if (patchJson !== undefined) value = patched(value, patchJson);
  // Operations that copy can double a body again and again.
  if (patchJson?.some(({ op }) => op === 'copy') && leastLength(value) > EDIT_LIMIT) throw tooLarge();
  return bounded(Buffer.from(JSON.stringify(value), 'utf8'));
}

function bounded(bytes: Buffer): Buffer {
  if (bytes.length > EDIT_LIMIT) throw tooLarge();
  return bytes;
}

function tooLarge(): Error {
  return new Error(`the result would be larger than ${formatLimit(EDIT_LIMIT)}`);
}

/** A body after its changes. */
export interface EditedBody {
  /** Null: nothing changes, and the body passes as it came. */
  bytes: Buffer | null;
  /** For each change why it does not apply, as part of a sentence; null: it does. */
  problems: (string | null)[];
}

/**
 * Applies the changes in order to a whole body, decoded, and encodes it again. A change applies in full or not at all;
 * the others apply regardless. `sent`: the fields sent with it, which may name other codings than those that arrived.
 * Never rejects.
 */
export async function editBody(
  body: Buffer,
  headers: RawHeaders,
  changes: readonly ChangeMessage[],
  sent: RawHeaders = headers,
): Promise<EditedBody> {
  const decoded: Buffer | string = await decodeBody(body, headers, EDIT_LIMIT).catch(describe);
  let current = decoded;
  const problems: (string | null)[] = [];
  for (const change of changes) {
    try {
      current = await edited(current, change);
      problems.push(null);
    } catch (error) {
      problems.push(`${UNCHANGED}${describe(error)}`);
    }
  }
  if (typeof current === 'string' || !problems.includes(null)) return { bytes: null, problems };
  // Text that was not found: to encode the same content again would change its bytes.
  if (current === decoded && haveSameCodings(headers, sent)) return { bytes: null, problems };
  try {
    return { bytes: await encodeBody(current, sent), problems };
  } catch (error) {
    return { bytes: null, problems: problems.map((problem) => problem ?? `${UNCHANGED}${describe(error)}`) };
  }
}

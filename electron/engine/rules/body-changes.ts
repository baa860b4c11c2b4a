import { readFile } from 'node:fs/promises';
import { firstHeader, type RawHeaders } from '../../../shared/model/headers.ts';
import type { ChangeMessage } from '../../../shared/model/rule/actions.ts';
import { decodeBody, encodeBody } from './codings.ts';
import { merged, patched } from './json-changes.ts';
import { replaced } from './replacements.ts';

/** The largest body that rules edit, bytes, decoded or not. Larger ones pass unchanged. */
export const EDIT_LIMIT = 10 * 1024 * 1024;

export function changesBody({ body, bodyFile, replaceBody, mergeJson, patchJson }: ChangeMessage): boolean {
  return [body, bodyFile, replaceBody, mergeJson, patchJson].some((change) => change !== undefined);
}

/** Messages that arrive bit by bit are not held back until they are complete: they may never be. */
export function isStreamed(headers: RawHeaders): boolean {
  return /^(text\/event-stream|application\/grpc)/i.test(firstHeader(headers, 'content-type') ?? '');
}

/** Text and how to make bytes of it again: UTF-8, or bytes as Latin-1 characters where it is none. */
export function textOf(bytes: Buffer): { text: string; bytesOf: (text: string) => Buffer } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { text, bytesOf: (changed) => Buffer.from(changed, 'utf8') };
  } catch {
    return { text: bytes.toString('latin1'), bytesOf: (changed) => Buffer.from(changed, 'latin1') };
  }
}

function edited(decoded: Buffer, changes: readonly ChangeMessage[], files: ReadonlyMap<string, Buffer>): Buffer {
  let bytes = decoded;
  for (const { body, bodyFile, replaceBody, mergeJson, patchJson } of changes) {
    if (body !== undefined) bytes = Buffer.from(body, 'utf8');
    if (bodyFile !== undefined) bytes = files.get(bodyFile) ?? bytes;
    if (replaceBody !== undefined) {
      const { text, bytesOf } = textOf(bytes);
      const changed = replaced(text, replaceBody);
      // Bytes that are not changed stay what they are.
      if (changed !== text) bytes = bytesOf(changed);
    }
    if (mergeJson !== undefined || patchJson !== undefined) bytes = editedJson(bytes, { mergeJson, patchJson });
  }
  return bytes;
}

function editedJson(bytes: Buffer, { mergeJson, patchJson }: Pick<ChangeMessage, 'mergeJson' | 'patchJson'>): Buffer {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Error('it is not JSON');
  }
  if (mergeJson !== undefined) value = merged(value, mergeJson);
  if (patchJson !== undefined) value = patched(value, patchJson);
  return Buffer.from(JSON.stringify(value), 'utf8');
}

/** A body after its changes. `problem`: why it passes unchanged, as part of a sentence; null if it was edited. */
export interface EditedBody {
  bytes: Buffer;
  problem: string | null;
}

/**
 * Applies the changes in order to a whole body, decoded, and encodes it again. `sent`: the fields that go out with it,
 * which may name other codings than those that arrived. Never rejects.
 */
export async function editBody(
  body: Buffer,
  headers: RawHeaders,
  changes: readonly ChangeMessage[],
  sent: RawHeaders = headers,
): Promise<EditedBody> {
  try {
    const names = changes.flatMap(({ bodyFile }) => (bodyFile === undefined ? [] : [bodyFile]));
    const files = new Map(await Promise.all(names.map(async (name) => [name, await readFile(name)] as const)));
    const decoded = await decodeBody(body, headers, EDIT_LIMIT);
    return { bytes: await encodeBody(edited(decoded, changes, files), sent), problem: null };
  } catch (error) {
    return { bytes: body, problem: `the body is unchanged: ${error instanceof Error ? error.message : String(error)}` };
  }
}

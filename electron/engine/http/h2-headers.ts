import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import type { RawHeaders } from '../../../shared/model/headers.ts';

/**
 * Node 24 takes and keeps a flat array: order and duplicates as they were, and 8-10 % of CPU saved. The Node 16 of the
 * tests' Electron 22 does not. There is nothing to probe without a session, so the version is what is asked.
 */
const TAKES_ARRAYS = Number(process.versions.node.split('.', 1)[0]) >= 24;

/** Fields for what takes the object alone: trailers and 1xx answers. Their order between names is kept. */
export function http2FieldObject(fields: RawHeaders): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] ?? '';
    const value = fields[index + 1] ?? '';
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else headers[name] = Array.isArray(before) ? [...before, value] : [before, value];
  }
  return headers;
}

/** Fields in the form that this Node's http2 takes. Its types know only the object, and the array only in newer ones. */
export function http2Fields(fields: RawHeaders): OutgoingHttpHeaders {
  return TAKES_ARRAYS ? (fields as unknown as OutgoingHttpHeaders) : http2FieldObject(fields);
}

/** The fields of an event as they came; older Nodes leave the raw list out of some events. */
export function rawFields(headers: IncomingHttpHeaders, raw: string[] | undefined): string[] {
  if (raw) return raw;
  const fields: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    for (const each of Array.isArray(value) ? value : [value]) fields.push(name, String(each));
  }
  return fields;
}

/** A pseudo-header field's value. They stand first (RFC 9113, section 8.3). */
export function pseudo(fields: RawHeaders, name: string): string | undefined {
  for (let index = 0; index < fields.length; index += 2) {
    const each = fields[index] as string;
    if (each.charCodeAt(0) !== 0x3a) return undefined;
    if (each === name) return fields[index + 1];
  }
  return undefined;
}

/** The value of an ordinary field; names are lower case on h2. */
export function field(fields: RawHeaders, name: string): string | undefined {
  for (let index = 0; index < fields.length; index += 2) if (fields[index] === name) return fields[index + 1];
  return undefined;
}

/** The size of a head as HTTP/1.1 would write it, bytes. */
export function headSize(fields: RawHeaders): number {
  let size = 2;
  for (let index = 0; index < fields.length; index += 2) {
    size += (fields[index]?.length ?? 0) + (fields[index + 1]?.length ?? 0) + 4;
  }
  return size;
}

/** Node answers each stream's end with a question for trailers, which costs an event and a frame: asked only where they may come. */
export function mayHaveTrailers(fields: RawHeaders): boolean {
  return field(fields, 'content-length') === undefined || field(fields, 'trailer') !== undefined;
}

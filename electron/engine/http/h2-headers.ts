import type { RawHeaders } from '../../../shared/model/headers.ts';

/** A pseudo-header field's value. Pseudo-header fields come first (RFC 9113, section 8.3). */
export function pseudo(fields: RawHeaders, name: string): string | undefined {
  for (let index = 0; index < fields.length; index += 2) {
    const each = fields[index] as string;
    if (each.charCodeAt(0) !== 0x3a) return undefined;
    if (each === name) return fields[index + 1];
  }
  return undefined;
}

/** The value of a regular field. Names are lower case on h2. */
export function field(fields: RawHeaders, name: string): string | undefined {
  for (let index = 0; index < fields.length; index += 2) if (fields[index] === name) return fields[index + 1];
  return undefined;
}

/** The size of a head in HTTP/1.1 form, bytes. */
export function headSize(fields: RawHeaders): number {
  let size = 2;
  for (let index = 0; index < fields.length; index += 2) {
    size += (fields[index]?.length ?? 0) + (fields[index + 1]?.length ?? 0) + 4;
  }
  return size;
}

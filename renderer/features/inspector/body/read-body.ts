import type { CurlBody } from '../../../../shared/format/commands/curl.ts';

/** Decodes the base64 in which the contract carries bytes. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** The contract's base64 of bytes. `String.fromCharCode(...bytes)` overflows the stack with many: one at a time. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

/** Bytes checked for control characters: binary data has some near its start. */
const SNIFFED = 4096;

/** Control characters that don't occur in text. Tabs, line breaks, form feeds and escapes (terminal colours) do. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b;
}

/**
 * The text of bytes that are UTF-8 without control characters, or null. `stream` accepts a character that the end of
 * the range cuts in two: a body is read in ranges.
 */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, SNIFFED).some(isControl)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/**
 * A body as `curlCommand` takes it, without losing a byte: `ignoreBOM` keeps a byte order mark, and a character cut in
 * two at the end makes it base64.
 */
export function curlBodyOf(bytes: Uint8Array<ArrayBuffer>, base64: string): CurlBody {
  if (bytes.length === 0) return null;
  if (bytes.subarray(0, SNIFFED).some(isControl)) return { form: 'base64', data: base64 };
  try {
    const data = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return { form: 'text', data };
  } catch {
    return { form: 'base64', data: base64 };
  }
}

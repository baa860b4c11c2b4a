import type { CurlBody } from '../../../../shared/format/curl.ts';

export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** Bytes looked at for control characters: what is binary shows it early. */
const SNIFFED = 4096;

/** Control characters that text does not hold; tab, line breaks, form feed and escape (terminal colours) it does. */
function isControl(byte: number): boolean {
  return byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b;
}

/** The text of bytes that are UTF-8 without control characters, or null. A character cut at the end of a range does not count against them. */
export function textOf(bytes: Uint8Array): string | null {
  if (bytes.subarray(0, SNIFFED).some(isControl)) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/** Bytes as they go into a command: none is lost, also of a byte order mark, or of a character that is cut off. */
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

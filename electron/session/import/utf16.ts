import { TextDecoder } from 'node:util';

/**
 * A decoder for a text that begins with a byte order mark of UTF-16, as Windows tools write it; null: any other text.
 * RFC 2781, section 3.2.
 */
export function utf16Decoder([first, second]: Uint8Array): TextDecoder | null {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : null;
}

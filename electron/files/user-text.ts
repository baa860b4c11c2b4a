import fs from 'node:fs';
import { TextDecoder } from 'node:util';
import { refuseLockedHere } from './locked-here.ts';

/**
 * A decoder for a text that begins with a byte order mark of UTF-16, as Windows tools write it; null: any other text.
 * RFC 2781, section 3.2.
 */
export function utf16Decoder([first, second]: Uint8Array): TextDecoder | null {
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le');
  return first === 0xfe && second === 0xff ? new TextDecoder('utf-16be') : null;
}

/**
 * The text of a file that a user wrote: UTF-8, or the UTF-16 that `>` of Windows PowerShell and Notepad write. Throws
 * the file system's error, or as `refuseLockedHere` does.
 */
export function readUserText(file: string): string {
  refuseLockedHere(file);
  const bytes = fs.readFileSync(file);
  return utf16Decoder(bytes)?.decode(bytes) ?? bytes.toString('utf8');
}

import { fstatSync, readSync } from 'node:fs';
import { withDescriptor } from './locked-file.ts';
import { APPLICATION_ID, VERSION } from './session-schema.ts';

const MAGIC = 'SQLite format 3\0';
const HEADER_BYTES = 100;

/**
 * The facts in the first bytes of a session file, without SQLite: https://www.sqlite.org/fileformat.html, section 1.3.
 */
export interface SessionHeader {
  /** The schema's version; 0 for a file that is a session only through its write-ahead log. */
  version: number;
  /** Bytes that the pages of the database take, and bytes that the file has. */
  expected: number;
  size: number;
}

/**
 * Reads the header. Throws an Error with the reason as part of a sentence for a file that is not a session file, or of
 * a newer version; or the system's error.
 */
export function readSessionHeader(path: string): SessionHeader {
  return withDescriptor(path, headerIn);
}

function headerIn(file: number): SessionHeader {
  const header = Buffer.alloc(HEADER_BYTES);
  const length = readSync(file, header, 0, HEADER_BYTES, 0);
  const { size } = fstatSync(file);
  if (length === 0) return { version: 0, expected: 0, size };
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) throw new Error('it is not a session file');
  if (length < HEADER_BYTES) throw new Error('it was cut short, and none of it can be read');
  const application = header.readUInt32BE(68);
  const version = header.readUInt32BE(60);
  if (application !== APPLICATION_ID && (application !== 0 || version !== 0))
    throw new Error('it is a database of another program');
  if (version > VERSION) throw new Error('it was written by a newer version of Roundtrip: update Roundtrip to open it');
  // 1 stands for 65,536.
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  return { version, expected: pageSize * header.readUInt32BE(28), size };
}

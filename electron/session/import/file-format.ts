import { readSync, statSync } from 'node:fs';
import { roundtripError, systemCode } from '../../failures/errors.ts';
import { readProblem } from '../../files/read-problem.ts';
import { utf16Decoder } from '../../files/user-text.ts';
import { withDescriptor } from '../format/locked-file.ts';
import { withoutLinks } from '../format/without-links.ts';

export type FileFormat = 'roundtrip' | 'har' | 'chlsj' | 'saz' | 'flow';

const SQLITE = 'SQLite format 3\0';
/** Java's serialization begins with these bytes: Charles' own session files. */
const JAVA = 0xaced;

/**
 * Detects a file's format by its first bytes. Throws `import.failed`, or `import.unsupported` with an
 * alternative.
 */
export function formatOf(file: string): FileFormat {
  const first = firstBytes(file);
  if (first.toString('latin1', 0, SQLITE.length) === SQLITE) return 'roundtrip';
  if (/\.chls$/i.test(file) || (first.length > 1 && first.readUInt16BE(0) === JAVA)) throw closed(file);
  const text = (utf16Decoder(first)?.decode(first) ?? first.toString('utf8')).replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('{')) return 'har';
  if (text.startsWith('[')) return 'chlsj';
  if (text.startsWith('PK')) return 'saz';
  if (/^\d+:\d+:/.test(text)) return 'flow';
  if (first.length === 0 && hasLog(file)) return 'roundtrip';
  if (first.length === 0) throw roundtripError('import.failed', { path: file, detail: 'it is empty' });
  throw roundtripError('import.failed', { path: file, detail: 'it is not a session file, HAR, .chlsj, .saz or .flow' });
}

/** A power failure can leave a session whose file is still empty: all of it is in its log. */
function hasLog(file: string): boolean {
  return (statSync(`${withoutLinks(file)}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function closed(path: string): Error {
  const detail =
    'The .chls format of Charles is undocumented. Export the session in Charles as JSON (.chlsj) or as HAR, and ' +
    'import that.';
  return roundtripError('import.unsupported', { path, detail });
}

function firstBytes(file: string): Buffer {
  try {
    const found = statSync(file);
    // Opening a pipe would wait for its other end.
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is not a regular file');
    return withDescriptor(file, firstBytesOf);
  } catch (error) {
    throw roundtripError('import.failed', { path: file, detail: readProblem(error) }, systemCode(error));
  }
}

function firstBytesOf(descriptor: number): Buffer {
  const first = Buffer.alloc(4096);
  return first.subarray(0, readSync(descriptor, first, 0, first.length, 0));
}

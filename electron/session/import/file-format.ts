import { open } from 'node:fs/promises';
import { roundtripError, systemCode } from '../../failures/errors.ts';
import { readProblem } from '../../files/read-problem.ts';
import { utf16Decoder } from '../../files/user-text.ts';

export type FileFormat = 'roundtrip' | 'har' | 'chlsj' | 'saz' | 'flow';

const SQLITE = 'SQLite format 3\0';
/** Java's serialization begins with these bytes: Charles' own session files. */
const JAVA = 0xaced;

/**
 * Detects a file's format by its first bytes. Rejects with `import.failed`, or `import.unsupported` with an
 * alternative.
 */
export async function formatOf(file: string): Promise<FileFormat> {
  const first = await firstBytes(file);
  if (first.toString('latin1', 0, SQLITE.length) === SQLITE) return 'roundtrip';
  if (/\.chls$/i.test(file) || (first.length > 1 && first.readUInt16BE(0) === JAVA)) throw closed(file);
  const text = (utf16Decoder(first)?.decode(first) ?? first.toString('utf8')).replace(/^\uFEFF/, '').trimStart();
  if (text.startsWith('{')) return 'har';
  if (text.startsWith('[')) return 'chlsj';
  if (text.startsWith('PK')) return 'saz';
  if (/^\d+:\d+:/.test(text)) return 'flow';
  if (first.length === 0) throw roundtripError('import.failed', { path: file, detail: 'it is empty' });
  throw roundtripError('import.failed', { path: file, detail: 'it is not a session file, HAR, .chlsj, .saz or .flow' });
}

function closed(path: string): Error {
  const detail =
    'The .chls format of Charles is undocumented. Export the session in Charles as JSON (.chlsj) or as HAR, and ' +
    'import that.';
  return roundtripError('import.unsupported', { path, detail });
}

async function firstBytes(file: string): Promise<Buffer> {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4096), 0, 4096, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw roundtripError('import.failed', { path: file, detail: readProblem(error) }, systemCode(error));
  }
}

import { realpathSync } from 'node:fs';
import path from 'node:path';
import { roundtripError, systemCode } from '../failures/errors.ts';
import { fileProblem } from '../files/file-problem.ts';
import { UserFile } from '../files/user-file.ts';
import { withoutLinks } from '../session/format/without-links.ts';

/** Of the files that a session consists of while it is recorded. */
const SUFFIXES = ['', '-wal', '-shm', '-lock'];

/**
 * Checks before recording that the HAR can be written, and does not replace the session. `session`: null for a new file
 * in the data folder. Rejects with `har.write-failed`.
 */
export async function checkHarPlace(har: string, session: string | null): Promise<void> {
  try {
    if (session !== null && isOf(session, har)) throw new Error('it is a file of the session');
    await UserFile.check(har);
  } catch (error) {
    throw roundtripError('har.write-failed', { path: har, detail: fileProblem(error, har) }, systemCode(error));
  }
}

function isOf(session: string, har: string): boolean {
  const files = [session, withoutLinks(session)].flatMap((file) => SUFFIXES.map((suffix) => place(file) + suffix));
  return files.includes(place(har));
}

/** Without links to folders. A link at the file itself is replaced by the HAR. */
function place(file: string): string {
  try {
    return path.join(realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    // Writing there fails with the reason.
    return file;
  }
}

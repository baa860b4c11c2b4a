import fs from 'node:fs';
import path from 'node:path';
import type { Host } from '../commands/host.ts';
import { uniqueName } from '../commands/unique-name.ts';
import { roundtripError, systemCode } from '../failures/errors.ts';
import { fileProblem } from '../files/file-problem.ts';
import { UserFile } from '../files/user-file.ts';

/** A new path in the working folder: `roundtrip-2026-11-20T22-47-03-412Z-5f3a9c1e.har`. */
export function defaultHarPath(now: Date): string {
  return path.resolve(`roundtrip-${uniqueName(now)}.har`);
}

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
  const files = [session, target(session)].flatMap((file) => SUFFIXES.map((suffix) => place(file) + suffix));
  return files.includes(place(har));
}

/** The file that a link leads to. */
function target(file: string): string {
  return fs.existsSync(file) ? fs.realpathSync(file) : file;
}

/** Without links to folders. A link at the file itself is replaced by the HAR. */
function place(file: string): string {
  try {
    return path.join(fs.realpathSync(path.dirname(file)), path.basename(file));
  } catch {
    // Writing there fails with the reason.
    return file;
  }
}

/** `note`: what could not be read of a damaged session; null: nothing. */
export interface WrittenHar {
  exchanges: number;
  failed: number;
  note: string | null;
}

/** Writes the whole session as a HAR. Rejects with `har.write-failed`. */
export async function writeHar({ runtime }: Host, file: string): Promise<WrittenHar> {
  const { exchanges, note } = await runtime.recorded.export({
    path: file,
    selection: { format: 'har', query: '', window: null, ids: null, redact: false, patterns: [] },
    onProgress: () => undefined,
    signal: new AbortController().signal,
  });
  return { exchanges, failed: await countFailed(runtime), note };
}

async function countFailed(runtime: Host['runtime']): Promise<number> {
  let failed = 0;
  let after = 0;
  for (let more = true; more; ) {
    const page = await runtime.recorded.page({ after, limit: 5000 });
    failed += page.rows.filter(({ state }) => state === 'failed').length;
    after = page.rows.at(-1)?.id ?? after;
    more = page.more;
  }
  return failed;
}

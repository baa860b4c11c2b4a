import { existsSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { RoundtripError, roundtripError, systemCode } from '../../failures/errors.ts';
import { SessionWriter } from '../write/session-writer.ts';
import { formatOf } from './file-format.ts';
import { readHar } from './har/har-import.ts';
import type { ImportedPiece, ImportFault } from './imported.ts';
import { Numbering } from './numbering.ts';
import { readProblem } from './read-problem.ts';
import { SessionFiller } from './session-filler.ts';

export interface ImportJob {
  files: readonly string[];
  /** The session file; appended to if it exists. */
  session: string;
  onFault: (fault: ImportFault) => void;
  /** Bytes of all files. */
  onProgress: (read: number, total: number) => void;
  signal: AbortSignal;
}

/**
 * Imports files of other programs, and HARs, into a session file, in pieces: memory stays flat whatever their size. What
 * can't be read is reported and left out.
 *
 * Rejects with `import.failed`, `import.unsupported`, `session.open-failed`, `session.write-failed` or the signal's
 * reason. A session file that did not exist before is then removed.
 */
export async function importFiles(job: ImportJob): Promise<{ exchanges: number; faults: number }> {
  const isNew = !existsSync(job.session);
  const sizes = await sizesOf(job.files);
  const writer = SessionWriter.open(job.session);
  try {
    const counts = await fill(writer, job, sizes);
    writer.close();
    return counts;
  } catch (error) {
    writer.close();
    if (isNew) rmSync(job.session, { force: true });
    throw error;
  }
}

/** Bytes by file. Also a check of all files before the first is imported. */
async function sizesOf(files: readonly string[]): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const file of files) {
    if ((await formatOf(file)) === 'roundtrip') {
      const detail = 'it is a session file of Roundtrip already: open it instead';
      throw roundtripError('import.failed', { path: file, detail });
    }
    sizes.set(file, (await stat(file)).size);
  }
  return sizes;
}

async function fill(
  writer: SessionWriter,
  { files, onFault, onProgress, signal }: ImportJob,
  sizes: ReadonlyMap<string, number>,
): Promise<{ exchanges: number; faults: number }> {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const filler = new SessionFiller(writer);
  const counts = { exchanges: 0, faults: 0 };
  let next = { exchange: writer.session.nextExchangeId, connection: writer.session.nextConnectionId };
  let before = 0;
  for (const file of files) {
    const numbering = new Numbering(next.exchange, next.connection);
    for await (const { exchanges, faults, read } of piecesOf(file, numbering, signal)) {
      signal.throwIfAborted();
      for (const exchange of exchanges) filler.add(exchange);
      for (const fault of faults) onFault({ file, ...fault });
      counts.exchanges += exchanges.length;
      counts.faults += faults.length;
      onProgress(before + read, total);
    }
    next = numbering.next;
    before += sizes.get(file) ?? 0;
  }
  filler.flush();
  return counts;
}

/** Rejects with `import.failed` or the signal's reason. */
async function* piecesOf(file: string, numbering: Numbering, signal: AbortSignal): AsyncGenerator<ImportedPiece> {
  try {
    yield* readHar(file, numbering, signal);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    if (error instanceof RoundtripError) throw error;
    throw roundtripError('import.failed', { path: file, detail: readProblem(error) }, systemCode(error));
  }
}

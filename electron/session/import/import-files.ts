import { existsSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { roundtripError } from '../../failures/errors.ts';
import { unlessRefused } from '../../failures/write-refused.ts';
import { SessionFiller, type WholeExchange } from '../write/session-filler.ts';
import { SessionWriter } from '../write/session-writer.ts';
import { type FileFormat, formatOf } from './file-format.ts';
import type { ImportedExchange, ImportFault } from './imported.ts';
import { Numbering } from './numbering.ts';
import { piecesOf } from './pieces-of.ts';

type ForeignFormat = Exclude<FileFormat, 'roundtrip'>;

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
 * Imports files of other programs, and HARs, into a session file, in pieces: memory stays flat regardless of their
 * size. What can't be read is reported and left out.
 *
 * Rejects with `import.failed`, `import.unsupported`, `import.write-failed` or the signal's reason. A session file that
 * did not exist before is then removed.
 */
export async function importFiles(job: ImportJob): Promise<{ exchanges: number; faults: number }> {
  const isNew = !existsSync(job.session);
  const files = await lookAt(job.files);
  try {
    const writer = SessionWriter.open(job.session);
    try {
      return await fill(writer, files, job);
    } catch (error) {
      closeQuietly(writer);
      // The log stays if another program has the file open.
      if (isNew) for (const suffix of ['', '-wal', '-shm']) rmSync(job.session + suffix, { force: true });
      throw error;
    } finally {
      writer.close();
    }
  } catch (error) {
    throw unlessRefused('import.write-failed', job.session, error);
  }
}

/** On a full disk closing fails too, and the error would replace the first. */
function closeQuietly(writer: SessionWriter): void {
  try {
    writer.close();
  } catch {
    // What was written is removed, or as complete as it can be.
  }
}

interface ImportedFile {
  file: string;
  format: ForeignFormat;
  /** Bytes. */
  size: number;
}

/** Checks all files before the first is imported. */
async function lookAt(files: readonly string[]): Promise<ImportedFile[]> {
  const found: ImportedFile[] = [];
  for (const file of files) {
    const format = formatOf(file);
    if (format === 'roundtrip') {
      const detail = 'it is already a Roundtrip session file: open it instead';
      throw roundtripError('import.failed', { path: file, detail });
    }
    found.push({ file, format, size: (await stat(file)).size });
  }
  return found;
}

async function fill(
  writer: SessionWriter,
  files: readonly ImportedFile[],
  { onFault, onProgress, signal }: ImportJob,
): Promise<{ exchanges: number; faults: number }> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const filler = new SessionFiller(writer);
  const counts = { exchanges: 0, faults: 0 };
  let next = { exchange: writer.session.nextExchangeId, connection: writer.session.nextConnectionId };
  let before = 0;
  for (const { file, format, size } of files) {
    const numbering = new Numbering(next.exchange, next.connection);
    for await (const { exchanges, faults, read } of piecesOf(file, format, numbering, signal)) {
      signal.throwIfAborted();
      for (const imported of exchanges) filler.add(wholeOf(imported));
      for (const fault of faults) onFault({ file, ...fault });
      counts.exchanges += exchanges.length;
      counts.faults += faults.length;
      onProgress(before + read, total);
    }
    next = numbering.next;
    before += size;
  }
  filler.flush();
  return counts;
}

function wholeOf({ exchange, bodies, marks, userMark }: ImportedExchange): WholeExchange {
  const { request, response } = bodies;
  return {
    exchange,
    marks,
    ...(userMark && { userMark }),
    bodies: { request: request && [request], response: response && [response] },
  };
}

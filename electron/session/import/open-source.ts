import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { damageFound } from '../read/damage-found.ts';
import { SessionReader } from '../read/session-reader.ts';
import { formatOf } from './file-format.ts';
import { importFiles } from './import-files.ts';
import type { ImportFault } from './imported.ts';
import { removedAtSignal } from './removed-at-signal.ts';

/** Faults that are kept: a hostile file of some megabytes has a million. */
const MOST_FAULTS = 1000;

/** A SOURCE of the command line, open to read. */
export interface OpenedSource {
  reader: SessionReader;
  /** The session file that `reader` reads: the given one, or a temporary one. */
  path: string;
  /** The import's faults; for a session file, the damage found so far: read this after the work. */
  readonly faults: readonly ImportFault[];
  /** Closes the reader and removes the temporary file. Further calls do nothing. */
  close(): Promise<void>;
}

/**
 * Opens a session file, or imports any other file into a temporary session file, which `close` removes. Rejects with
 * `session.open-failed`, as `importFiles` does, or with the signal's reason. Without `cancel`, a signal that ends the
 * process removes the temporary file too; with it, the caller handles signals and closes the source.
 */
export async function openSource(file: string, cancel?: AbortSignal): Promise<OpenedSource> {
  if (formatOf(file) === 'roundtrip') return opened(file, file, [], async () => undefined);
  const folder = await mkdtemp(path.join(tmpdir(), 'roundtrip-'));
  const release = cancel === undefined ? removedAtSignal(folder) : () => undefined;
  const remove = async () => {
    await rm(folder, { recursive: true, force: true });
    release();
  };
  try {
    const session = path.join(folder, 'source.roundtrip');
    const faults: ImportFault[] = [];
    const signal = cancel ?? new AbortController().signal;
    const onFault = (fault: ImportFault) => void (faults.length < MOST_FAULTS && faults.push(fault));
    const counts = await importFiles({ files: [file], session, onFault, onProgress: () => undefined, signal });
    const more = counts.faults - faults.length;
    if (more > 0) faults.push({ file, place: '', message: `There are ${more} more faults.` });
    return opened(file, session, faults, remove);
  } catch (error) {
    await remove();
    throw error;
  }
}

/** `file`: the source as given. */
function opened(file: string, session: string, imported: ImportFault[], remove: () => Promise<void>): OpenedSource {
  const reader = new SessionReader(session);
  let isOpen = true;
  const close = async () => {
    if (!isOpen) return;
    isOpen = false;
    reader.close();
    await remove();
  };
  return {
    reader,
    path: session,
    get faults() {
      return [...imported, ...damageFound(reader).map((message) => ({ file, place: '', message }))];
    },
    close,
  };
}

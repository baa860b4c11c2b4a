import { stat } from 'node:fs/promises';
import type { ImportedExchange, ImportedPiece } from '../imported.ts';
import type { Numbering } from '../numbering.ts';
import { salvagedSessions } from './salvage-saz.ts';
import { type SazDirectory, sazDirectory } from './saz-directory.ts';
import { importedParts } from './saz-parts.ts';

/** Bytes that an archive may unpack to, and how many times its size if that is more: recordings stay far below. */
const UNPACKED = 1024 * 1024 * 1024;
const EXPANSION = 100;

/**
 * Reads a Fiddler archive, one exchange at a time. If its directory is missing or damaged, as in a file that was cut
 * short, the headers of its files are followed instead. Throws the system's error, or an Error with the reason as part
 * of a sentence.
 */
export async function* readSaz(file: string, numbering: Numbering, signal: AbortSignal): AsyncGenerator<ImportedPiece> {
  const most = Math.max(UNPACKED, (await stat(file)).size * EXPANSION);
  let unpacked = 0;
  for await (const piece of sessionsOf(file, numbering, signal)) {
    signal.throwIfAborted();
    yield piece;
    unpacked += piece.exchanges.reduce((sum, { bodies }) => sum + sizeOf(bodies), 0);
    if (unpacked > most) throw new Error('it unpacks to far more than a recording would');
  }
}

function sizeOf({ request, response }: ImportedExchange['bodies']): number {
  return (request?.length ?? 0) + (response?.length ?? 0);
}

async function* sessionsOf(file: string, numbering: Numbering, signal: AbortSignal): AsyncGenerator<ImportedPiece> {
  const directory = await sazDirectory(file);
  if (typeof directory !== 'string') {
    yield* listedSessions(directory, numbering);
    return;
  }
  yield* salvagedSessions(file, numbering, signal);
  const message = `The list of its files can't be read (${directory}): what its files themselves tell was imported.`;
  yield { exchanges: [], faults: [{ place: '', message }], read: 0 };
}

async function* listedSessions(
  { sessions, partOf, close }: SazDirectory,
  numbering: Numbering,
): AsyncGenerator<ImportedPiece> {
  try {
    let read = 0;
    for (const [ordinal, parts] of sessions) {
      read += Object.values(parts).reduce((sum, { compressedSize }) => sum + compressedSize, 0);
      yield { ...(await importedParts(ordinal, (name) => partOf(parts[name], name), numbering)), read };
    }
  } finally {
    await close();
  }
}

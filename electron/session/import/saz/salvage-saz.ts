import type { ImportedPiece } from '../imported.ts';
import type { Numbering } from '../numbering.ts';
import { localFiles } from './local-files.ts';
import { importedParts, limitOf, NO_PART, type PartName, placeOf, type ReadPart } from './saz-parts.ts';

/** What was found of one session. Fiddler writes its files one after the other. */
interface Found {
  ordinal: number;
  parts: Partial<Record<PartName, ReadPart>>;
}

/**
 * The sessions of an archive without a directory, by the headers of its files. Throws an Error with the reason as part
 * of a sentence if there is none.
 */
export async function* salvagedSessions(
  file: string,
  numbering: Numbering,
  signal: AbortSignal,
): AsyncGenerator<ImportedPiece> {
  let found: Found | null = null;
  let read = 0;
  let count = 0;
  const exchangeOf = async ({ ordinal, parts }: Found): Promise<ImportedPiece> => {
    count += 1;
    return { ...(await importedParts(ordinal, async (name) => parts[name] ?? NO_PART, numbering)), read };
  };
  const limit = (name: string) => {
    const place = placeOf(name);
    return place === null ? 0 : limitOf(place.name);
  };
  for await (const { name, end, ...part } of localFiles(file, limit)) {
    signal.throwIfAborted();
    read = end;
    const place = placeOf(name);
    if (place === null) continue;
    if (found !== null && found.ordinal !== place.ordinal) {
      yield await exchangeOf(found);
      found = null;
    }
    found ??= { ordinal: place.ordinal, parts: {} };
    found.parts[place.name] = part;
  }
  if (found !== null) yield await exchangeOf(found);
  if (count === 0) throw new Error('it is not an archive of Fiddler, or nothing of it can be read');
}

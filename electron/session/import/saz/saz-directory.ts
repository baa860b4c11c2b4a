import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { describe } from '../../../failures/errors.ts';
import { BoundedReader } from './bounded-reader.ts';
import { savedAt } from './saved-at.ts';
import {
  ENCRYPTED,
  limitOf,
  NO_PART,
  overLimit,
  type PartName,
  placeOf,
  type ReadPart,
  WRONG_SUM,
} from './saz-parts.ts';

type Entries = Partial<Record<PartName, Entry>>;

/** An archive whose directory can be read. */
export interface SazDirectory {
  /** By the number of the session, ascending: Fiddler's order. */
  sessions: readonly [number, Entries][];
  partOf(entry: Entry | undefined, name: PartName): Promise<ReadPart>;
  close(): Promise<void>;
}

/** Opens an archive; or gives the reason why its directory can't be read. Rejects with the system's error. */
export async function sazDirectory(file: string): Promise<SazDirectory | string> {
  const reader = await BoundedReader.open(file);
  try {
    // Names are not decoded, because one that leads out of the archive would end the reading. Nothing is unpacked.
    const options = { lazyEntries: true, autoClose: false, decodeStrings: false, validateEntrySizes: false };
    const zip = await fromRandomAccessReaderPromise(reader, reader.size, options);
    const sessions = await sessionsIn(zip);
    const close = () => reader.release();
    return { sessions, partOf: (entry, name) => partOf(zip, entry, limitOf(name)), close };
  } catch (error) {
    await reader.release();
    return describe(error).replace(/\.$/, '');
  }
}

async function sessionsIn(zip: ZipFile): Promise<[number, Entries][]> {
  const found = new Map<number, Entries>();
  let packed = 0;
  for await (const entry of zip.eachEntry()) {
    packed += entry.compressedSize;
    if (packed > zip.fileSize) throw new Error('its files overlap');
    const place = placeOf(entry.fileNameRaw.toString('latin1'));
    if (place === null) continue;
    found.set(place.ordinal, { ...found.get(place.ordinal), [place.name]: slim(entry) });
  }
  return [...found].sort(([a], [b]) => a - b);
}

const NOTHING = Buffer.alloc(0);

/** Without what is not read again: an archive has three entries for each exchange. */
function slim(entry: Entry): Entry {
  const blank = { fileName: '', comment: '', fileComment: '', extraFields: [] };
  return Object.assign(entry, blank, { fileNameRaw: NOTHING, extraFieldRaw: NOTHING, fileCommentRaw: NOTHING });
}

async function partOf(zip: ZipFile, entry: Entry | undefined, limit: number): Promise<ReadPart> {
  if (entry === undefined) return NO_PART;
  const writtenAt = savedAt(entry.lastModFileDate, entry.lastModFileTime);
  const without = (problem: string): ReadPart => ({ bytes: null, problem, writtenAt });
  if (entry.isEncrypted()) return without(ENCRYPTED);
  if (entry.uncompressedSize > limit) return without(overLimit(limit));
  try {
    const stream = await zip.openReadStreamPromise(entry);
    const { bytes, isWhole } = await bytesOf(stream, entry.uncompressedSize);
    if (!isWhole) return without('does not have the size that the archive says');
    const isSound = crc32(bytes) === entry.crc32;
    return { bytes, problem: isSound ? null : WRONG_SUM, writtenAt };
  } catch (error) {
    return without(`can't be unpacked: ${describe(error)}`);
  }
}

/** At most `size` bytes are kept, whatever the stream unpacks to. */
async function bytesOf(stream: Readable, size: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const bytes = Buffer.allocUnsafe(size);
  let filled = 0;
  for await (const piece of stream as AsyncIterable<Buffer>) {
    if (filled + piece.length > size) return { bytes, isWhole: false };
    piece.copy(bytes, filled);
    filled += piece.length;
  }
  return { bytes, isWhole: filled === size };
}

import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { describe } from '../../../failures/errors.ts';
import { type ImportedExchange, type ImportedPiece, PartFault } from '../imported.ts';
import type { Numbering } from '../numbering.ts';
import { plainExchange } from '../plain-exchange.ts';
import { parseRawMessage } from './raw-message.ts';
import { sazSession } from './saz-session.ts';

/** Bytes of the longest request or response. */
const PART_LIMIT = 256 * 1024 * 1024;

/** The files of one session: request, response, metadata, and WebSocket messages. */
type Parts = Partial<Record<'c' | 's' | 'm' | 'w', Entry>>;

/**
 * Reads a Fiddler archive, one exchange at a time. Throws the system's error, or an Error with the reason as part of a
 * sentence if it is not a zip file.
 */
export async function* readSaz(file: string, numbering: Numbering, signal: AbortSignal): AsyncGenerator<ImportedPiece> {
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false });
  try {
    let read = 0;
    for (const [ordinal, parts] of await partsIn(zip)) {
      signal.throwIfAborted();
      read += Object.values(parts).reduce((sum, { compressedSize }) => sum + compressedSize, 0);
      yield { ...(await importedParts(zip, ordinal, parts, numbering)), read };
    }
  } finally {
    zip.close();
  }
}

/** By the number of the session, ascending: Fiddler's order. */
async function partsIn(zip: ZipFile): Promise<[number, Parts][]> {
  const found = new Map<number, Parts>();
  for await (const entry of zip.eachEntry()) {
    const [, digits = '', part = ''] = /^raw\/(\d+)_([csmw])\.(?:txt|xml)$/i.exec(entry.fileName) ?? [];
    if (digits === '') continue;
    const ordinal = Number(digits);
    found.set(ordinal, { ...found.get(ordinal), [part.toLowerCase()]: entry });
  }
  return [...found].sort(([a], [b]) => a - b);
}

async function importedParts(
  zip: ZipFile,
  ordinal: number,
  parts: Parts,
  numbering: Numbering,
): Promise<Pick<ImportedPiece, 'exchanges' | 'faults'>> {
  const place = `session ${ordinal}`;
  try {
    const exchanges = [await importedExchange(zip, parts, numbering)];
    const message = "Its WebSocket messages were left out: Fiddler's format for them is not supported.";
    return { exchanges, faults: parts.w === undefined ? [] : [{ place, message }] };
  } catch (error) {
    const message = error instanceof PartFault ? error.message : `It can't be read: ${describe(error)}.`;
    return { exchanges: [], faults: [{ place, message }] };
  }
}

async function importedExchange(zip: ZipFile, parts: Parts, numbering: Numbering): Promise<ImportedExchange> {
  const request = parseRawMessage(await bytesOf(zip, parts.c));
  if (request === null) throw new PartFault('It has no request.');
  const response = parseRawMessage(await bytesOf(zip, parts.s));
  const metadata = (await bytesOf(zip, parts.m)).toString('utf8');
  return plainExchange(sazSession(request, response, metadata), numbering);
}

async function bytesOf(zip: ZipFile, entry: Entry | undefined): Promise<Buffer> {
  if (entry === undefined) return Buffer.alloc(0);
  if (entry.isEncrypted()) throw new PartFault('It has a password: save the archive without one in Fiddler.');
  if (entry.uncompressedSize > PART_LIMIT) throw new PartFault('It is over 256 MB, which is too large to import.');
  return await buffer(await zip.openReadStreamPromise(entry));
}

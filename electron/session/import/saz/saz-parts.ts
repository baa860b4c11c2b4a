import { describe } from '../../../failures/errors.ts';
import { type ImportedExchange, type ImportedPiece, PartFault } from '../imported.ts';
import type { Numbering } from '../numbering.ts';
import { plainExchange } from '../plain-exchange.ts';
import { parseRawMessage } from './raw-message.ts';
import { sazSession } from './saz-session.ts';

/** The files of one session: request, response, metadata, and WebSocket messages. */
export type PartName = 'c' | 's' | 'm' | 'w';

const WORDS = { c: 'request', s: 'response', m: 'metadata', w: 'WebSocket messages' } as const;

/** Bytes of the longest request or response. */
const LONGEST = 256 * 1024 * 1024;
const LONGEST_METADATA = 1024 * 1024;

export function limitOf(name: PartName): number {
  return name === 'm' ? LONGEST_METADATA : LONGEST;
}

export function overLimit(limit: number): string {
  return `is over ${limit / 1024 / 1024} MB, which is too large to import`;
}

export const WRONG_SUM = 'does not match its checksum, and may be damaged';
export const ENCRYPTED = 'is protected by a password: save the archive without one in Fiddler';

/** What could be read of a file. Null bytes: nothing, or the file is not there. */
export interface ReadPart {
  bytes: Buffer | null;
  /** What is wrong with it, as the end of a sentence: `is cut short`. */
  problem: string | null;
  /** When it was written, milliseconds since the Unix epoch. */
  writtenAt: number | null;
}

export const NO_PART: ReadPart = { bytes: null, problem: null, writtenAt: null };

/** The session and the number in a file's name: Fiddler writes `raw/12_c.txt`. Null: any other file. */
export function placeOf(fileName: string): { ordinal: number; name: PartName } | null {
  const [, digits, part] = /^raw\/(\d{1,9})_([csmw])\.(?:txt|xml)$/i.exec(fileName) ?? [];
  return digits === undefined ? null : { ordinal: Number(digits), name: part?.toLowerCase() as PartName };
}

type Faults = ImportedPiece['faults'];

/** The exchange of a session, as far as its files can be read. */
export async function importedParts(
  ordinal: number,
  read: (name: PartName) => Promise<ReadPart>,
  numbering: Numbering,
): Promise<Pick<ImportedPiece, 'exchanges' | 'faults'>> {
  const faults: Faults = [];
  const fault = (message: string) => void faults.push({ place: `session ${ordinal}`, message });
  const part = async (name: PartName) => {
    const found = await read(name);
    if (found.problem !== null) fault(`Its ${WORDS[name]} ${found.problem}.`);
    return found;
  };
  const exchanges: ImportedExchange[] = [];
  try {
    const [request, response, metadata] = [await part('c'), await part('s'), await part('m')];
    const socket = await read('w');
    const asked = request.bytes && parseRawMessage(request.bytes);
    if (asked === null) {
      if (request.problem === null) fault('It has no request.');
      return { exchanges, faults };
    }
    const session = sazSession({
      request: asked,
      response: response.bytes && parseRawMessage(response.bytes),
      lost: response.bytes === null && response.problem !== null ? `its response ${response.problem}` : null,
      metadata: metadata.bytes?.toString('utf8') ?? '',
      writtenAt: request.writtenAt,
    });
    exchanges.push(plainExchange(session.exchange, numbering));
    for (const message of session.faults) fault(message);
    if (socket.bytes !== null || socket.problem !== null)
      fault("Its WebSocket messages were left out: Fiddler's format for them is not supported.");
  } catch (error) {
    fault(error instanceof PartFault ? error.message : `It can't be read: ${describe(error)}.`);
  }
  return { exchanges, faults };
}

import { createReadStream } from 'node:fs';
import { describe } from '../../../failures/errors.ts';
import { type ImportedExchange, type ImportedPiece, PartFault } from '../imported.ts';
import { numberIn, objectIn } from '../loose-json.ts';
import type { Numbering } from '../numbering.ts';
import { flowExchange } from './flow-exchange.ts';
import { parseTnetstring, tnetstringLength } from './tnetstring.ts';

/** Bytes read at once, and bytes of the longest flow. */
const PIECE = 1024 * 1024;
const FLOW_LIMIT = 256 * 1024 * 1024;
/** The version in each flow of mitmproxy 12. Those of newer ones are read as far as they are alike. */
const NEWEST_FORMAT = 21;

/**
 * Reads the flows of a mitmproxy file in sequence. Throws the system's error, or an Error with the reason as part of a
 * sentence if invalid data follows: nothing after it can be found.
 */
export async function* readFlows(
  file: string,
  numbering: Numbering,
  signal: AbortSignal,
): AsyncGenerator<ImportedPiece> {
  const cutter = new FlowCutter();
  let read = 0;
  for await (const piece of createReadStream(file, { highWaterMark: PIECE, signal })) {
    read += piece.length;
    const imported: ImportedPiece = { exchanges: [], faults: [], read };
    const problem = cutter.push(piece, (ordinal, bytes) => {
      const found = flowIn(bytes, numbering);
      if (typeof found !== 'string') imported.exchanges.push(found);
      else imported.faults.push({ place: `flow ${ordinal}`, message: found });
    });
    yield imported;
    if (problem !== null) throw problem;
  }
  if (!cutter.isBetween)
    yield { exchanges: [], faults: [{ place: '', message: 'The file ends in the middle of a flow.' }], read };
}

/** The exchange of a flow, or a sentence that says why there is none. `bytes`: null for a flow over the limit. */
function flowIn(bytes: Buffer | null, numbering: Numbering): ImportedExchange | string {
  let format: number | null = null;
  try {
    if (bytes === null) throw new PartFault('It is over 256 MB, which is too large to import.');
    const flow = parseTnetstring(bytes);
    format = numberIn(objectIn(flow).version);
    return flowExchange(flow, numbering);
  } catch (error) {
    const message = error instanceof PartFault ? error.message : `It can't be read: ${describe(error)}.`;
    if (format === null || format <= NEWEST_FORMAT) return message;
    return `${message} It is in the format ${format} of a newer mitmproxy; formats up to ${NEWEST_FORMAT} are known.`;
  }
}

/** Cuts flows out of the pieces of a file; skips those over the limit without keeping them. */
class FlowCutter {
  #rest: Buffer[] = [];
  #held = 0;
  /** The total bytes of the current flow; null: its length has not been read. */
  #needed: number | null = null;
  #skipping = 0;
  #ordinal = 0;

  /** True if the file may end here. */
  get isBetween(): boolean {
    return this.#held === 0 && this.#skipping === 0;
  }

  /**
   * `found` gets the flows that are complete with this piece: null for one that is too long. Returns an error if what
   * follows them is not a flow.
   */
  push(piece: Buffer, found: (ordinal: number, bytes: Buffer | null) => void): unknown {
    try {
      for (const { ordinal, bytes } of this.#flows(piece)) found(ordinal, bytes);
      return null;
    } catch (error) {
      return error;
    }
  }

  *#flows(piece: Buffer): Generator<{ ordinal: number; bytes: Buffer | null }> {
    const skipped = Math.min(this.#skipping, piece.length);
    this.#skipping -= skipped;
    this.#rest.push(piece.subarray(skipped));
    this.#held += piece.length - skipped;
    while (this.#held > 0 && (this.#needed === null || this.#held >= this.#needed)) {
      const bytes = this.#rest.length === 1 ? (this.#rest[0] as Buffer) : Buffer.concat(this.#rest);
      this.#needed ??= tnetstringLength(bytes, 0);
      const { length } = bytes;
      this.#rest = [bytes];
      if (this.#needed === null) return;
      if (this.#needed > FLOW_LIMIT) {
        this.#skipping = this.#needed - length;
        this.#drop(length);
        yield { ordinal: this.#ordinal, bytes: null };
        return;
      }
      if (length < this.#needed) return;
      const flow = bytes.subarray(0, this.#needed);
      this.#rest = [bytes.subarray(this.#needed)];
      this.#drop(this.#needed);
      yield { ordinal: this.#ordinal, bytes: flow };
    }
  }

  #drop(bytes: number): void {
    this.#held -= bytes;
    if (this.#held === 0) this.#rest = [];
    this.#needed = null;
    this.#ordinal += 1;
  }
}

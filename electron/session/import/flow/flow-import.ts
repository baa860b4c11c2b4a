import { createReadStream } from 'node:fs';
import { describe } from '../../../failures/errors.ts';
import { type ImportedPiece, PartFault } from '../imported.ts';
import type { Numbering } from '../numbering.ts';
import { flowExchange } from './flow-exchange.ts';
import { parseTnetstring, tnetstringLength } from './tnetstring.ts';

/** Bytes read at once, and bytes of the longest flow. */
const PIECE = 1024 * 1024;
const FLOW_LIMIT = 256 * 1024 * 1024;

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
    for (const { ordinal, bytes } of cutter.push(piece)) {
      try {
        if (bytes === null) throw new PartFault('It is over 256 MB, which is too large to import.');
        imported.exchanges.push(flowExchange(parseTnetstring(bytes), numbering));
      } catch (error) {
        const message = error instanceof PartFault ? error.message : `It can't be read: ${describe(error)}.`;
        imported.faults.push({ place: `flow ${ordinal}`, message });
      }
    }
    yield imported;
  }
  if (!cutter.isBetween)
    yield { exchanges: [], faults: [{ place: '', message: 'The file ends in the middle of a flow.' }], read };
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

  *push(piece: Buffer): Generator<{ ordinal: number; bytes: Buffer | null }> {
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

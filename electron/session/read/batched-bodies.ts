import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { bodyCell } from '../format/body-cell.ts';
import { SLAB_BYTES } from '../format/slab-size.ts';
import type { SessionReader } from './session-reader.ts';

/** The source of bodies. */
export interface BodySource {
  bodySize(id: number, side: BodySide): number;
  bodyPieces(id: number, side: BodySide): Iterable<Uint8Array>;
}

/** Bytes of bodies read in one query. */
const AT_ONCE = 1024 * 1024;

/**
 * The bodies of consecutive exchanges. Most bodies are one short piece; these are read together instead of with four
 * queries each. Longer ones are read piece by piece.
 */
export class BatchedBodies implements BodySource {
  readonly #reader: SessionReader;
  /** Stored bytes by `bodyCell`, for short and complete bodies. */
  readonly #short = new Map<number, number>();
  readonly #exchanges: readonly Exchange[];
  #starts = new Map<number, Uint8Array>();
  #next = 0;

  constructor(reader: SessionReader, exchanges: readonly Exchange[]) {
    this.#reader = reader;
    this.#exchanges = exchanges;
  }

  /** Call this for each exchange, in order, before its bodies are read. */
  moveTo(index: number): void {
    const first = this.#exchanges[index];
    if (index < this.#next || first === undefined) return;
    this.#short.clear();
    this.#next = index;
    let bytes = 0;
    let last = first.id - 1;
    for (const exchange of this.#exchanges.slice(index)) {
      // Exchanges between two ids were not selected, and may have long bodies.
      if (bytes > AT_ONCE || exchange.id !== last + 1) break;
      bytes += this.#add(exchange);
      last = exchange.id;
      this.#next += 1;
    }
    this.#starts = bytes > 0 ? this.#reader.bodyStarts(first.id, last) : new Map();
  }

  /** Returns an upper bound of the bytes added. An open exchange may have more bytes by now than its row says. */
  #add({ id, state, request, response }: Exchange): number {
    if (state === 'open') return 2 * SLAB_BYTES;
    this.#short.set(bodyCell(id, 'request'), request.body.stored);
    this.#short.set(bodyCell(id, 'response'), response?.body.stored ?? 0);
    return request.body.stored + (response?.body.stored ?? 0);
  }

  #whole(id: number, side: BodySide): Uint8Array | null {
    const cell = bodyCell(id, side);
    const start = this.#starts.get(cell);
    return start !== undefined && start.length === this.#short.get(cell) ? start : null;
  }

  bodySize(id: number, side: BodySide): number {
    return this.#whole(id, side)?.length ?? this.#reader.bodySize(id, side);
  }

  bodyPieces(id: number, side: BodySide): Iterable<Uint8Array> {
    const whole = this.#whole(id, side);
    return whole === null ? this.#reader.bodyPieces(id, side) : [whole];
  }
}

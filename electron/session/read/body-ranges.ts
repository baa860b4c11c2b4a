import type { BodyRange } from '../../../shared/contract/requests/exchange-requests.ts';
import type { WithinSession } from '../../../shared/contract/requests.ts';
import { bodyCodings } from '../format/content-codings.ts';
import { type Decoded, decodeBody } from './decode-body.ts';
import type { StoredBodies } from './stored-bodies.ts';

/** Bytes of a body that are decoded for viewing; beyond that, only the raw form is available. */
export const DECODE_LIMIT = 64 * 1024 * 1024;
/** Bytes of decoded bodies kept for later ranges, including the body being decoded. */
const CACHE_LIMIT = 2 * DECODE_LIMIT;

/**
 * Ranges of bodies, raw or decoded. Decoding must start at a body's first byte; therefore decoded bodies are cached.
 * One body is decoded at a time: twenty of 64 MiB in parallel held 671 MB and were no faster.
 */
export class BodyRanges {
  readonly #reader: StoredBodies;
  /** Least recently used first. */
  readonly #decoded = new Map<string, Decoded>();
  #cached = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(reader: StoredBodies) {
    this.#reader = reader;
  }

  /** Rejects with `session.not-found`. */
  async read(input: WithinSession<'body.read'>): Promise<BodyRange> {
    const message = this.#reader.get(input.id)[input.side];
    const codings = message === null ? [] : bodyCodings(message);
    const stored = this.#reader.bodySize(input.id, input.side);
    const complete = message === null || (message.body.complete && stored >= message.body.size);
    if (input.form === 'raw' || codings.length === 0) {
      const pieces = this.#reader.bodyPieces(input.id, input.side, input.offset);
      return { data: base64Of(pieces, 0, input.length), size: stored, complete, codings: [], problem: null };
    }
    const decoded = await this.#decode(input, codings, stored);
    return {
      data: base64Of(decoded.pieces, input.offset, input.length),
      size: decoded.size,
      complete: complete && decoded.complete,
      codings,
      problem: decoded.problem,
    };
  }

  #decode(input: WithinSession<'body.read'>, codings: string[], stored: number): Promise<Decoded> {
    const key = `${this.#reader.sessionId()} ${input.id} ${input.side} ${stored}`;
    // Looked up only after the previous read, which may decode the same body.
    const decoded = this.#last.then(() => this.#known(key) ?? this.#decodeNow(key, input, codings));
    this.#last = decoded.catch(() => undefined);
    return decoded;
  }

  #known(key: string): Decoded | null {
    const known = this.#decoded.get(key);
    if (known === undefined) return null;
    this.#decoded.delete(key);
    this.#decoded.set(key, known);
    return known;
  }

  async #decodeNow(key: string, { id, side }: WithinSession<'body.read'>, codings: string[]): Promise<Decoded> {
    this.#makeRoom(DECODE_LIMIT);
    const decoded = await decodeBody(this.#reader.bodyPieces(id, side), codings, DECODE_LIMIT);
    this.#decoded.set(key, decoded);
    this.#cached += decoded.size;
    return decoded;
  }

  #makeRoom(bytes: number): void {
    for (const [key, { size }] of this.#decoded) {
      if (this.#cached + bytes <= CACHE_LIMIT) return;
      this.#decoded.delete(key);
      this.#cached -= size;
    }
  }
}

function base64Of(pieces: Iterable<Uint8Array>, offset: number, length: number): string {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const piece of pieces) {
    const part = piece.subarray(Math.max(0, offset - at), Math.max(0, offset + length - at));
    if (part.length > 0) parts.push(part);
    at += piece.length;
    if (at >= offset + length) break;
  }
  return Buffer.concat(parts).toString('base64');
}

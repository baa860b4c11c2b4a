import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { UpstreamStream } from '../upstream/upstream-stream.ts';

/** What came of a request's body, kept while it may have to be sent again, up to a cap (design, "Retry"). */
export class RetainedBody {
  readonly #limit: number;
  #pieces: { wire: Buffer | null; payload: readonly Buffer[] }[] = [];
  #size = 0;
  #trailers: RawHeaders | null = null;
  #kept = true;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether all that came so far can be sent again. */
  get complete(): boolean {
    return this.#kept;
  }

  add(wire: Buffer | null, payload: readonly Buffer[]): void {
    if (!this.#kept) return;
    for (const piece of payload) this.#size += piece.length;
    if (this.#size > this.#limit) this.drop();
    else this.#pieces.push({ wire, payload });
  }

  end(trailers: RawHeaders): void {
    this.#trailers = trailers;
  }

  drop(): void {
    this.#kept = false;
    this.#pieces = [];
  }

  /** Sends all that came so far. True where that was the whole of the body. */
  replay(into: UpstreamStream): boolean {
    for (const { wire, payload } of this.#pieces) into.piece(wire, payload);
    if (this.#trailers) into.end(this.#trailers);
    into.flush();
    return this.#trailers !== null;
  }
}

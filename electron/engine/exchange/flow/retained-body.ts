import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { UpstreamStream } from '../../upstream/upstream-stream.ts';

/** The received part of a request's body, kept up to a cap while it may have to be sent again (design, "Retry"). */
export class RetainedBody {
  readonly #limit: number;
  #pieces: { wire: Buffer | null; payload: readonly Buffer[] }[] = [];
  #size = 0;
  #trailers: RawHeaders | null = null;
  #kept = true;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether everything received so far can be sent again. */
  get complete(): boolean {
    return this.#kept;
  }

  add(wire: Buffer | null, payload: readonly Buffer[]): void {
    if (!this.#kept) return;
    // Framing counts if it is kept too: a chunk of one byte may have 4 KiB of extensions.
    if (wire) this.#size += wire.length;
    else for (const piece of payload) this.#size += piece.length;
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

  /**
   * Sends everything received so far, without flushing: more may arrive in this turn. Returns true if the body is
   * complete.
   */
  replay(into: UpstreamStream): boolean {
    for (const { wire, payload } of this.#pieces) into.piece(wire, payload);
    if (this.#trailers) into.end(this.#trailers);
    return this.#trailers !== null;
  }
}

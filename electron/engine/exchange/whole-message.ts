import type { RawHeaders } from '../../../shared/model/headers.ts';

export interface Piece {
  wire: Buffer | null;
  payload: readonly Buffer[];
}

/** A body that is being collected because a rule edits it whole. */
export class WholeMessage {
  readonly pieces: Piece[] = [];
  /** Null until the end has arrived. */
  trailers: RawHeaders | null = null;
  readonly #limit: number;
  #size = 0;
  #settle: () => void = () => {};
  /** Resolves once the body is complete or over the limit. */
  readonly settled = new Promise<void>((resolve) => {
    this.#settle = resolve;
  });

  /** `limit`: payload bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get isOverLimit(): boolean {
    return this.#size > this.#limit;
  }

  add(wire: Buffer | null, payload: readonly Buffer[]): void {
    this.pieces.push({ wire, payload });
    for (const piece of payload) this.#size += piece.length;
    if (this.isOverLimit) this.#settle();
  }

  end(trailers: RawHeaders): void {
    this.trailers = trailers;
    this.#settle();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces.flatMap(({ payload }) => payload));
  }
}

/** The body of a replayed request, piece by piece: it may be larger than the memory. */
export interface ReplayBody {
  /** Bytes of the whole body. */
  readonly size: number;
  /** The next piece, or null at the end. A piece must not be changed later. */
  next(): Uint8Array | null | Promise<Uint8Array | null>;
  /** Nothing more will be read. May be called several times. */
  close(): void;
}

/** A body that is in memory. */
export function bodyOf(bytes: Uint8Array): ReplayBody {
  let left: Uint8Array | null = bytes.length > 0 ? bytes : null;
  return {
    size: bytes.length,
    next: () => {
      const piece = left;
      left = null;
      return piece;
    },
    close: () => {},
  };
}

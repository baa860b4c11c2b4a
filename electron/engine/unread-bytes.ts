/** What a look at a socket found: bytes that wait to be read, more than at the look before. */
interface Found {
  /** How many bytes waited, and were read since: the last of them arrived at `at`, and the new ones after `since`. */
  upTo: number;
  at: number;
  since: number;
  /** It was found before the event loop's current or next poll. */
  isEarly: boolean;
}

/** Bytes that TLS adds to those of a record, at most: its header, a nonce or type, and the tag. */
const RECORD = { 'TLSv1.3': 22, older: 29 };
/** libuv reads 64 KB at a time: after so many bytes, others may still wait, of which no look tells again. */
const MUCH = 48 * 1024;
/** Looks at a socket within a turn; later ones count with the last. */
const MOST = 16;

/** Bytes that came after the last look before the poll; `null`: nobody knows. */
export type Arrived = number | 'later' | null;

/**
 * When the bytes of a socket arrived, by the stamps that the kernel had for them before they were read. It stamps
 * segments, and joins those that wait: the stamp of the last one stays. Therefore only bytes that came alone between
 * two looks arrived at their stamp; of others, the look before them is the earliest time.
 */
export class UnreadBytes {
  readonly #overhead: number;
  #found: Found[] = [];
  /** Bytes that were read in this turn. */
  #read = 0;
  /** Bytes wait that were there before the last look. */
  #isBehind = false;

  /** `protocol`: of TLS; null: there is none. */
  constructor(protocol: string | null) {
    if (protocol === null) this.#overhead = 0;
    else this.#overhead = protocol === 'TLSv1.3' ? RECORD['TLSv1.3'] : RECORD.older;
  }

  /** A look found that `length` bytes wait, the last of which arrived at `at`; the look before it was at `since`. */
  found(length: number, at: number, since: number, isEarly: boolean): void {
    const last = this.#found.at(-1);
    const upTo = this.#read + length;
    // They are known, or came in this order.
    if (last !== undefined && upTo <= last.upTo) return;
    const found = { upTo, at, since: Math.min(at, Math.max(since, last?.at ?? since)), isEarly };
    if (last === undefined || this.#found.length < MOST) this.#found.push(found);
    else this.#found[MOST - 1] = { ...found, since: last.since };
  }

  /** Nobody can say what waits, or since when. */
  lost(): void {
    this.#isBehind = true;
  }

  /** When the next `length` bytes, those of a record or of a read, can have arrived at the earliest. */
  take(length: number): Arrived {
    const from = this.#read;
    this.#read += length + this.#overhead;
    if (this.#isBehind) return null;
    for (const { upTo, at, since } of this.#found) if (upTo > from) return this.#read >= upTo ? at : since;
    return 'later';
  }

  /** The loop has polled and read. What was found before that is read; if not, the socket is paused or has much. */
  polled(): void {
    const read = this.#read;
    this.#read = 0;
    let isLeft = false;
    let kept = 0;
    for (const found of this.#found) {
      if (found.upTo <= read) continue;
      isLeft ||= found.isEarly;
      found.upTo -= read;
      found.isEarly = true;
      this.#found[kept] = found;
      kept += 1;
    }
    this.#found.length = isLeft ? 0 : kept;
    if (read > 0 || isLeft) this.#isBehind = isLeft || read >= MUCH;
  }
}

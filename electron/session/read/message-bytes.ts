import type { BodySide } from '../../../shared/model/body-side.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import { PAYLOAD_LIMIT } from './message-payload.ts';

/** The source of the bytes. */
interface PieceSource {
  bodyPieces(id: number, side: BodySide, offset: number): Iterable<Uint8Array>;
}

/** How far a body has been read. */
interface Cursor {
  /** Offset of `piece` in the body. */
  at: number;
  piece: Uint8Array;
  rest: Iterator<Uint8Array>;
}

const NOTHING = new Uint8Array(0);

/**
 * The bytes of one exchange's messages. Reads each side forward, since messages are consecutive: looking up each one
 * took a seventh of an export's time.
 */
export class MessageBytes {
  readonly #source: PieceSource;
  readonly #id: number;
  readonly #cursors: Partial<Record<BodySide, Cursor>> = {};

  constructor(source: PieceSource, id: number) {
    this.#source = source;
    this.#id = id;
  }

  /** The bytes as received, including framing, or one sentence with the reason why there are none. */
  of({ side, start, stop }: MessageMark): Buffer | string {
    if (stop - start > PAYLOAD_LIMIT) return `The message is over ${PAYLOAD_LIMIT} bytes; its body tab has it.`;
    const cursor = this.#cursors[side];
    const isAhead = cursor !== undefined && start >= cursor.at && start <= cursor.at + cursor.piece.length;
    // A cursor at the end does not see later writes; retry with a new one.
    const bytes = (isAhead ? read(cursor, start, stop) : null) ?? read(this.#cursorAt(side, start), start, stop);
    return bytes ?? 'The message was not kept: the disk could not keep up.';
  }

  #cursorAt(side: BodySide, start: number): Cursor {
    const rest = this.#source.bodyPieces(this.#id, side, start)[Symbol.iterator]();
    const cursor = { at: start, piece: NOTHING, rest };
    this.#cursors[side] = cursor;
    return cursor;
  }
}

/** `start` is in the cursor's piece or at its end. Null if the body ends before `stop`. */
function read(cursor: Cursor, start: number, stop: number): Buffer | null {
  const parts: Uint8Array[] = [];
  for (let at = start; ; ) {
    const part = cursor.piece.subarray(at - cursor.at, stop - cursor.at);
    parts.push(part);
    at += part.length;
    if (at === stop) return Buffer.concat(parts);
    const next = cursor.rest.next();
    if (next.done) return null;
    cursor.at += cursor.piece.length;
    cursor.piece = next.value;
  }
}

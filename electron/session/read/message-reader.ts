import { isUtf8 } from 'node:buffer';
import { BODY_RANGE_LIMIT } from '../../../shared/contract/requests/exchange-requests.ts';
import type { OutputOf, WithinSession } from '../../../shared/contract/requests.ts';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { allHeaders } from '../../../shared/model/headers.ts';
import { EVENT_OPCODE, type MessageMark } from '../../../shared/model/message-mark.ts';
import type { StreamMessage } from '../../../shared/model/stream-message.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import { MessageBytes } from './message-bytes.ts';
import { inflate, slideWindow, unframe } from './message-payload.ts';

/** The source of messages. */
export interface MessageSource {
  get(id: number): Exchange;
  messageMarks(id: number, from: number, limit: number): MessageMark[];
  messageCount(id: number): number;
  bodyPieces(id: number, side: BodySide, offset: number): Iterable<Uint8Array>;
}

interface Payload {
  bytes: Buffer;
  problem: string | null;
}

/** How far an exchange's compressed messages have been read: later messages may refer to earlier data. */
interface Position {
  id: number;
  next: number;
  windows: Record<BodySide, Buffer>;
}

const KINDS = new Map<number, StreamMessage['kind']>([
  [EVENT_OPCODE, 'event'],
  [1, 'text'],
  [2, 'binary'],
  [8, 'close'],
  [9, 'ping'],
  [10, 'pong'],
]);
const PREVIEW = 200;
const STEP = 500;
/** Messages between saved positions. Going back then does not start at the first message. */
const KEPT_EVERY = 1000;
const EMPTY = Buffer.alloc(0);

/** Reads messages from the bodies that carried them. */
export class MessageReader {
  readonly #source: MessageSource;
  #kept: Position[] = [];

  constructor(source: MessageSource) {
    this.#source = source;
  }

  /** Throws `session.not-found`. */
  page({ id, from, limit }: WithinSession<'messages.page'>): OutputOf<'messages.page'> {
    const messages = [...this.payloads(this.#source.get(id), from, limit)].map(({ mark, payload }) =>
      row(mark, payload),
    );
    return { messages, total: this.#source.messageCount(id) };
  }

  /** The message's first MiB. Throws `session.not-found`. */
  read({ id, ordinal }: WithinSession<'messages.read'>): OutputOf<'messages.read'> {
    const [found] = this.payloads(this.#source.get(id), ordinal, 1);
    if (!found) throw roundtripError('session.not-found', { id });
    const { bytes, problem } = found.payload;
    const data = bytes.subarray(0, BODY_RANGE_LIMIT);
    return { data: data.toString('base64'), size: bytes.length, complete: data.length === bytes.length, problem };
  }

  /** At most `limit` messages with their payloads, starting at ordinal `from`. */
  *payloads(exchange: Exchange, from: number, limit: number): Generator<{ mark: MessageMark; payload: Payload }> {
    const { id } = exchange;
    const bytes = new MessageBytes(this.#source, id);
    const resets = contextResets(exchange);
    const position = this.#positionFor(id, resets.request && resets.response ? from : 0, from);
    while (position.next < from + limit) {
      const marks = this.#source.messageMarks(id, position.next, Math.min(STEP, from + limit - position.next));
      if (marks.length === 0) return;
      for (const mark of marks) {
        this.#keep(position);
        position.next = mark.ordinal + 1;
        // Earlier messages matter only if later ones may refer to their data.
        if (mark.ordinal < from && (!mark.compressed || resets[mark.side])) continue;
        const payload = readPayload(bytes.of(mark), mark, position, resets[mark.side]);
        if (mark.ordinal >= from) yield { mark, payload };
      }
    }
  }

  #positionFor(id: number, start: number, from: number): Position {
    this.#kept = this.#kept.filter((each) => each.id === id);
    const before = this.#kept.findLast((each) => each.next <= from && each.next >= start);
    return before
      ? { ...before, windows: { ...before.windows } }
      : { id, next: start, windows: { request: EMPTY, response: EMPTY } };
  }

  #keep(position: Position): void {
    const last = this.#kept.at(-1)?.next ?? 0;
    if (position.next - last < KEPT_EVERY) return;
    this.#kept.push({ ...position, windows: { ...position.windows } });
  }
}

/** Decodes a message. `bytes`: as received, or why there are none. */
function readPayload(bytes: Buffer | string, mark: MessageMark, position: Position, resets: boolean): Payload {
  if (typeof bytes === 'string') return { bytes: EMPTY, problem: bytes };
  if (mark.opcode === EVENT_OPCODE) return { bytes, problem: null };
  const payload = unframe(bytes);
  if (!mark.compressed) return { bytes: payload, problem: null };
  try {
    const said = inflate(payload, resets ? EMPTY : position.windows[mark.side]);
    if (!resets) position.windows[mark.side] = slideWindow(position.windows[mark.side], said);
    return { bytes: said, problem: null };
  } catch (error) {
    return { bytes: EMPTY, problem: `The message can't be decompressed: ${describe(error)}.` };
  }
}

/** Which sides start each message with an empty window (RFC 7692, section 7.1.1). */
function contextResets({ response }: Exchange): Record<BodySide, boolean> {
  const extensions = allHeaders(response?.headers ?? [], 'sec-websocket-extensions').join(',');
  return {
    request: /\bclient_no_context_takeover\b/i.test(extensions),
    response: /\bserver_no_context_takeover\b/i.test(extensions),
  };
}

function row(mark: MessageMark, { bytes, problem }: Payload): StreamMessage {
  const kind = KINDS.get(mark.opcode) ?? 'other';
  return {
    ordinal: mark.ordinal,
    direction: mark.side === 'request' ? 'sent' : 'received',
    at: mark.at,
    kind,
    opcode: mark.opcode,
    wireSize: mark.size,
    size: problem === null ? bytes.length : -1,
    compressed: mark.compressed,
    closeCode: mark.closeCode,
    preview: preview(kind === 'close' ? bytes.subarray(2) : bytes, kind),
    problem,
  };
}

function preview(bytes: Buffer, kind: StreamMessage['kind']): string {
  if (kind !== 'binary' && isUtf8(bytes)) return bytes.toString('utf8', 0, PREVIEW * 2).slice(0, PREVIEW);
  return bytes.toString('hex', 0, PREVIEW / 4);
}

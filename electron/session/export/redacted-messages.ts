import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { EVENT_OPCODE, type MessageMark } from '../../../shared/model/message-mark.ts';
import { framedMessages, type PlainMessage } from '../format/web-socket-frames.ts';
import { cleanedPayload, SEARCHED_LIMIT } from '../read/searched-body.ts';
import type { SessionReader } from '../read/session-reader.ts';

/** Bytes of the messages of one WebSocket, which are built in memory; later ones are left out. */
const LIMIT = SEARCHED_LIMIT / 4;
/** Messages of one exchange: each takes some hundred bytes of memory. */
const MOST = 200_000;

/** A WebSocket's messages without secrets, each in one unmasked frame. */
export function redactedFrames(
  reader: SessionReader,
  exchange: Exchange,
  redactor: Redactor,
): ReturnType<typeof framedMessages> {
  const messages: PlainMessage[] = [];
  let left = LIMIT;
  for (const { mark, payload } of reader.messages.payloads(exchange, 0, MOST)) {
    const data = cleanedPayload(payload.bytes, mark, redactor);
    left -= data.length;
    if (left < 0) break;
    const { opcode, at, closeCode } = mark;
    messages.push({ fromClient: mark.side === 'request', at, opcode, data, closeCode });
  }
  return framedMessages(messages);
}

/** A stream of server-sent events without secrets, with the places of the events in it. */
export function redactedEvents(
  body: Buffer,
  marks: Iterable<MessageMark>,
  clean: (bytes: Buffer) => Buffer,
): { body: Buffer; marks: MessageMark[] } {
  const parts: Buffer[] = [];
  const moved: MessageMark[] = [];
  let [read, written] = [0, 0];
  const add = (bytes: Buffer): void => {
    parts.push(bytes);
    written += bytes.length;
  };
  for (const mark of marks) {
    if (mark.opcode !== EVENT_OPCODE || mark.start < read || mark.stop > body.length) continue;
    add(clean(body.subarray(read, mark.start)));
    const start = written;
    add(clean(body.subarray(mark.start, mark.stop)));
    moved.push({ ...mark, start, stop: written, size: written - start });
    read = mark.stop;
  }
  add(clean(body.subarray(read)));
  return { body: Buffer.concat(parts), marks: moved };
}

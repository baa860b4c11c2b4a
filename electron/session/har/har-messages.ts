import { isUtf8 } from 'node:buffer';
import type { HarMessages } from '../../../shared/format/har.ts';
import type { Redactor } from '../../../shared/format/redact/redactor.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { cleanedPayload } from '../read/searched-body.ts';
import type { SessionReader } from '../read/session-reader.ts';

const TEXT = 1;
const BINARY = 2;
/** UTF-16 units of all messages of one exchange: an entry is built in memory. The rest is only in the session file. */
const DATA_LIMIT = 16 * 1024 * 1024;
const PAGE = 500;
const MOST_EVENTS = 200_000;

/** When the events of a stream came. More than an import marks need no time. */
export function eventTimes(reader: SessionReader, { id }: Exchange): HarMessages {
  const times: number[] = [];
  for (let more = true; more && times.length <= MOST_EVENTS; ) {
    const marks = reader.messageMarks(id, times.length, PAGE);
    for (const { at } of marks) times.push(at);
    more = marks.length === PAGE;
  }
  return { data: [], control: [], eventTimes: times };
}

/** A WebSocket's messages. `redactor`: removes secrets; null: nothing is removed. */
export function harMessages(reader: SessionReader, exchange: Exchange, redactor: Redactor | null): HarMessages {
  const found: HarMessages = { data: [], control: [], eventTimes: [] };
  const total = reader.messageCount(exchange.id);
  let left = DATA_LIMIT;
  for (let from = 0; from < total && left > 0; from += PAGE) {
    for (const { mark, payload } of reader.messages.payloads(exchange, from, PAGE)) {
      const { opcode, ordinal } = mark;
      const isData = opcode === TEXT || opcode === BINARY;
      const isText = opcode === TEXT && isUtf8(payload.bytes);
      const bytes = redactor === null ? payload.bytes : cleanedPayload(payload.bytes, mark, redactor);
      const data = bytes.toString(isText ? 'utf8' : 'base64');
      left -= data.length;
      if (left < 0) break;
      const type = mark.side === 'request' ? 'send' : 'receive';
      const message = { type, time: mark.at / 1000, opcode, data } as const;
      if (isData) found.data.push(message);
      else found.control.push({ ...message, ordinal });
    }
  }
  return found;
}

import { isUtf8 } from 'node:buffer';
import type { HarWebSocketMessage } from '../../../shared/format/har-types.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { SessionReader } from '../read/session-reader.ts';

const TEXT = 1;
const BINARY = 2;
/** Of one exchange's messages together, UTF-16 units: an entry is made in memory. What is beyond is in the session file. */
const DATA_LIMIT = 16 * 1024 * 1024;
const PAGE = 500;

/** A WebSocket's messages as Chrome writes them. With `redact` what they say is left out: nothing tells secrets in it from the rest. */
export function harMessages(reader: SessionReader, exchange: Exchange, redact: boolean): HarWebSocketMessage[] {
  const messages: HarWebSocketMessage[] = [];
  const total = reader.messageCount(exchange.id);
  let left = DATA_LIMIT;
  for (let from = 0; from < total && left > 0; from += PAGE) {
    for (const { mark, payload } of reader.messages.payloads(exchange, from, PAGE)) {
      if (mark.opcode !== TEXT && mark.opcode !== BINARY) continue;
      const isText = mark.opcode === TEXT && isUtf8(payload.bytes);
      const data = redact ? '' : payload.bytes.toString(isText ? 'utf8' : 'base64');
      left -= data.length;
      if (left < 0) break;
      const type = mark.side === 'request' ? 'send' : 'receive';
      messages.push({ type, time: mark.at / 1000, opcode: mark.opcode, data });
    }
  }
  return messages;
}

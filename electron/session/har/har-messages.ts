import { isUtf8 } from 'node:buffer';
import type { HarWebSocketMessage } from '../../../shared/format/har-types.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { SessionReader } from '../read/session-reader.ts';

const TEXT = 1;
const BINARY = 2;
/** UTF-16 units of all messages of one exchange: an entry is built in memory. The rest is only in the session file. */
const DATA_LIMIT = 16 * 1024 * 1024;
const PAGE = 500;

/** A WebSocket's messages in Chrome's format. `redact` removes their data, since secrets in it can't be recognized. */
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

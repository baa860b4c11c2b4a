import type { PlainMessage } from '../../format/web-socket-frames.ts';
import { listIn, numberIn, objectIn, textIn } from '../loose-json.ts';

const BINARY = 2;
const CLOSE = 8;
/** Times above this are milliseconds since the Unix epoch; Chrome's convention is seconds. */
const MILLISECONDS = 1e11;

/** The WebSocket messages of an entry, as Chrome, mitmproxy and HTTP Toolkit write them. */
export function messagesIn(entry: unknown): PlainMessage[] {
  const { _webSocketMessages, _webSocketClose, _roundtrip } = objectIn(entry);
  const messages = listIn(_webSocketMessages).map(messageIn);
  for (const control of listIn(objectIn(_roundtrip).controlMessages)) insert(messages, control);
  const closing = objectIn(_webSocketClose);
  const code = numberIn(closing.code);
  if (code === null) return messages;
  const reason = Buffer.from(textIn(closing.reason));
  const data = Buffer.concat([Buffer.from([code >> 8, code & 0xff]), reason]);
  const at = numberIn(closing.timestamp ?? closing.time);
  const fromClient = textIn(closing.type) === 'send';
  return [...messages, { fromClient, at: at === null ? -1 : moment(at), opcode: CLOSE, data, closeCode: code }];
}

/** A control frame from our own HAR, at its place. */
function insert(messages: PlainMessage[], value: unknown): void {
  const { ordinal, data: encoded } = objectIn(value);
  const data = Buffer.from(textIn(encoded), 'base64');
  const message = { ...messageIn(value), data };
  const closeCode = message.opcode === CLOSE && data.length >= 2 ? data.readUInt16BE(0) : null;
  messages.splice(numberIn(ordinal) ?? messages.length, 0, { ...message, closeCode });
}

function messageIn(value: unknown): PlainMessage {
  const { type, time, opcode, data } = objectIn(value);
  const kind = numberIn(opcode) ?? 1;
  return {
    fromClient: type === 'send' || type === 'request',
    at: moment(numberIn(time) ?? -1),
    opcode: kind,
    data: Buffer.from(textIn(data), kind === BINARY ? 'base64' : 'utf8'),
    closeCode: null,
  };
}

function moment(time: number): number {
  if (time < 0) return -1;
  return time > MILLISECONDS ? time : time * 1000;
}

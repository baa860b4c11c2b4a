import { CODE, ConnectionFault } from './error-codes.ts';

/** Frame types (RFC 9113, section 6). */
export const FRAME = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  pushPromise: 5,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
} as const;

/** Flags of frames; `ack` and `endStream` are one bit, of different frames. */
export const FLAG = { endStream: 0x1, ack: 0x1, endHeaders: 0x4, padded: 0x8, priority: 0x20 } as const;

export const FRAME_HEAD = 9;
/** Default SETTINGS_MAX_FRAME_SIZE, bytes; we never change ours. */
export const FRAME_SIZE = 16_384;

/** A frame header: 24-bit length, type, flags and 31-bit stream id (RFC 9113, section 4.1). */
export function frameHead(length: number, type: number, flags: number, stream: number): Buffer {
  const head = Buffer.allocUnsafe(FRAME_HEAD);
  head[0] = length >>> 16;
  head[1] = length >>> 8;
  head[2] = length;
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return head;
}

/** A frame whose payload consists of 32-bit numbers. */
export function wordFrame(type: number, stream: number, ...words: readonly number[]): Buffer {
  const frame = Buffer.allocUnsafe(FRAME_HEAD + words.length * 4);
  frameHead(words.length * 4, type, 0, stream).copy(frame);
  words.forEach((word, index) => void frame.writeUInt32BE(word >>> 0, FRAME_HEAD + index * 4));
  return frame;
}

export function pingAck(payload: Buffer): Buffer {
  return Buffer.concat([frameHead(8, FRAME.ping, FLAG.ack, 0), payload]);
}

/** `text`: additional debug data (RFC 9113, section 6.8). */
export function goawayFrame(lastStream: number, code: number, text: string): Buffer {
  const debug = Buffer.from(text, 'latin1');
  const payload = Buffer.allocUnsafe(8);
  payload.writeUInt32BE(lastStream, 0);
  payload.writeUInt32BE(code, 4);
  return Buffer.concat([frameHead(8 + debug.length, FRAME.goaway, 0, 0), payload, debug]);
}

/** Requires a stream id other than 0 (RFC 9113, section 6). */
export function onStream(id: number): number {
  if (id === 0) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'a stream frame on stream 0');
  return id;
}

/** The payload of a frame that is one 32-bit number. */
export function word(payload: Buffer, length: number): number {
  if (payload.length !== length) throw new ConnectionFault(CODE.FRAME_SIZE_ERROR, 'a frame of the wrong length');
  return payload.readUInt32BE(0);
}

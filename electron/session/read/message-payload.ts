import { constants, inflateRawSync } from 'node:zlib';

/** Bytes of one decompressed message. Longer messages are listed but not read. */
export const PAYLOAD_LIMIT = 16 * 1024 * 1024;
/** Bytes. The maximum deflate window (RFC 7692, section 7.1.2.1). */
const WINDOW = 32 * 1024;
/** The sender removes this tail (RFC 7692, section 7.2.1); the receiver appends it again (section 7.2.2). */
const TAIL = Buffer.from([0x00, 0x00, 0xff, 0xff]);
const CONTROL = 8;

/** The unmasked, joined payload of the message whose frames are in `bytes`, without control frames in between. */
export function unframe(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  const wanted = (bytes[0] ?? 0) & 0x0f;
  for (let at = 0; at + 2 <= bytes.length; ) {
    const opcode = (bytes[at] ?? 0) & 0x0f;
    const second = bytes[at + 1] ?? 0;
    const short = second & 0x7f;
    const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
    const length =
      short === 126 ? bytes.readUInt16BE(at + 2) : short === 127 ? Number(bytes.readBigUInt64BE(at + 2)) : short;
    const masked = second >= 0x80;
    const start = at + 2 + extended + (masked ? 4 : 0);
    const payload = Buffer.from(bytes.subarray(start, start + length));
    if (masked) {
      for (let index = 0; index < payload.length; index += 1) {
        payload[index] = (payload[index] ?? 0) ^ (bytes[start - 4 + (index & 3)] ?? 0);
      }
    }
    if (opcode < CONTROL || wanted >= CONTROL) pieces.push(payload);
    at = start + length;
  }
  return Buffer.concat(pieces);
}

/**
 * Decompresses a permessage-deflate message. `window`: the end of the earlier data if the context is taken over,
 * otherwise empty. Throws zlib's errors.
 */
export function inflate(payload: Buffer, window: Buffer): Buffer {
  return inflateRawSync(Buffer.concat([payload, TAIL]), {
    finishFlush: constants.Z_SYNC_FLUSH,
    maxOutputLength: PAYLOAD_LIMIT,
    ...(window.length > 0 ? { dictionary: window } : {}),
  });
}

/** The window after the decompressed data `said`. */
export function slideWindow(window: Buffer, said: Buffer): Buffer {
  if (said.length >= WINDOW) return Buffer.from(said.subarray(said.length - WINDOW));
  const joined = Buffer.concat([window, said]);
  return joined.length <= WINDOW ? joined : Buffer.from(joined.subarray(joined.length - WINDOW));
}

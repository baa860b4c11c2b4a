import type { MessageMark } from '../../../shared/model/message-mark.ts';

/** A message of another program's recording. */
export interface PlainMessage {
  fromClient: boolean;
  /** Milliseconds since the Unix epoch. */
  at: number;
  opcode: number;
  data: Buffer;
  closeCode: number | null;
}

/**
 * WebSocket messages as the session file keeps them: bytes of each side with framing (RFC 6455, section 5.2), and the
 * place of each message in them. Other programs keep no frames: each message becomes one unmasked frame.
 */
export function framedMessages(messages: readonly PlainMessage[]): {
  bodies: { request: Uint8Array; response: Uint8Array };
  marks: MessageMark[];
} {
  const parts = { request: [] as Buffer[], response: [] as Buffer[] };
  const ends = { request: 0, response: 0 };
  const marks = messages.map(({ fromClient, at, opcode, data, closeCode }, ordinal): MessageMark => {
    const side = fromClient ? 'request' : 'response';
    const head = frameHead(opcode, data.length);
    const start = ends[side];
    const stop = start + head.length + data.length;
    parts[side].push(head, data);
    ends[side] = stop;
    return { ordinal, side, at, opcode, start, stop, size: data.length, compressed: false, closeCode };
  });
  return { bodies: { request: Buffer.concat(parts.request), response: Buffer.concat(parts.response) }, marks };
}

const FINAL = 0x80;

function frameHead(opcode: number, length: number): Buffer {
  if (length < 126) return Buffer.from([FINAL | opcode, length]);
  if (length < 65_536) return Buffer.from([FINAL | opcode, 126, length >> 8, length & 0xff]);
  const head = Buffer.alloc(10);
  head[0] = FINAL | opcode;
  head[1] = 127;
  head.writeBigUInt64BE(BigInt(length), 2);
  return head;
}

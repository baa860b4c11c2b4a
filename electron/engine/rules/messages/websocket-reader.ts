import { MESSAGE_LIMIT, MESSAGE_TOO_LARGE, NO_CODING, type StreamPart, type StreamReader } from './stream-part.ts';
import { UncutBytes } from './uncut-bytes.ts';

/** One frame (RFC 6455, section 5.2). `mask`: null from a server. */
interface Frame {
  isFinal: boolean;
  isCompressed: boolean;
  opcode: number;
  mask: Buffer | null;
  headSize: number;
  /** Bytes of the payload. */
  size: number;
}

const CONTROL = 8;
const COMPRESSED = 'a message passed unchanged: it is compressed';

/** Null: more bytes are needed. */
function frameOf(bytes: Buffer): Frame | null {
  if (bytes.length < 2) return null;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = (second & 0x80) !== 0;
  const headSize = 2 + extended + (isMasked ? 4 : 0);
  if (bytes.length < headSize) return null;
  const size = extended === 2 ? bytes.readUInt16BE(2) : extended === 8 ? Number(bytes.readBigUInt64BE(2)) : short;
  const mask = isMasked ? Buffer.from(bytes.subarray(headSize - 4, headSize)) : null;
  return { isFinal: first >= 0x80, isCompressed: (first & 0x40) !== 0, opcode: first & 0x0f, mask, headSize, size };
}

function masked(payload: Buffer, mask: Buffer | null): Buffer {
  if (mask === null) return payload;
  const changed = Buffer.from(payload);
  for (let index = 0; index < changed.length; index += 1) {
    changed[index] = (changed[index] ?? 0) ^ (mask[index & 3] ?? 0);
  }
  return changed;
}

/** One message in one frame. */
function encoded(payload: Buffer, { opcode, mask }: Frame): Buffer {
  const { length } = payload;
  const extended = length < 126 ? 0 : length < 0x1_0000 ? 2 : 8;
  const head = Buffer.alloc(2 + extended);
  head[0] = 0x80 | opcode;
  head[1] = (mask ? 0x80 : 0) | (extended === 0 ? length : extended === 2 ? 126 : 127);
  if (extended === 2) head.writeUInt16BE(length, 2);
  if (extended === 8) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, mask ?? Buffer.alloc(0), masked(payload, mask)]);
}

/** Cuts one direction of a WebSocket. Control frames pass at once, also between the frames of a message. */
export class WebSocketReader implements StreamReader {
  readonly coding = null;
  readonly #uncut = new UncutBytes();
  /** The frames of the current message, and its payload. */
  #raw: Buffer[] = [];
  #payload: Buffer[] = [];
  #size = 0;
  #first: Frame | null = null;
  /** The rest of the current message passes. */
  #passes = false;

  read(chunk: Buffer): StreamPart[] {
    return this.#uncut.add(chunk, (parts) => this.#cut(parts));
  }

  rest(): Buffer {
    const raw = Buffer.concat([...this.#raw, this.#uncut.take(this.#uncut.waiting.length)]);
    this.#raw = [];
    return raw;
  }

  #cut(parts: StreamPart[]): boolean {
    const { waiting } = this.#uncut;
    const frame = frameOf(waiting);
    if (frame === null) return false;
    if (frame.opcode < CONTROL && this.#size + frame.size > MESSAGE_LIMIT) {
      this.#giveUp(frame, parts);
      return true;
    }
    if (waiting.length < frame.headSize + frame.size) return false;
    const raw = this.#uncut.take(frame.headSize + frame.size);
    if (frame.opcode >= CONTROL) parts.push({ raw, message: null });
    else this.#frame(frame, raw, parts);
    return true;
  }

  /** The message is too large: the kept part passes, and the rest as it arrives. */
  #giveUp(frame: Frame, parts: StreamPart[]): void {
    for (const raw of this.#raw) parts.push({ raw, message: null });
    if (!this.#passes) parts.push({ raw: Buffer.alloc(0), message: null, problem: MESSAGE_TOO_LARGE });
    this.#reset();
    this.#passes = !frame.isFinal;
    this.#uncut.letPass(frame.headSize + frame.size);
  }

  #frame(frame: Frame, raw: Buffer, parts: StreamPart[]): void {
    if (this.#passes) {
      parts.push({ raw, message: null });
      this.#passes = !frame.isFinal;
      return;
    }
    const first = this.#first ?? frame;
    this.#first = first;
    this.#raw.push(raw);
    this.#payload.push(masked(raw.subarray(frame.headSize), frame.mask));
    this.#size += frame.size;
    if (!frame.isFinal) return;
    const whole = this.#raw.length === 1 ? raw : Buffer.concat(this.#raw);
    const payload = Buffer.concat(this.#payload);
    this.#reset();
    if (first.isCompressed) parts.push({ raw: whole, message: null, problem: COMPRESSED });
    else {
      const encode = (changed: Buffer) => encoded(changed, first);
      parts.push({ raw: whole, message: { payload, codings: NO_CODING, encode } });
    }
  }

  #reset(): void {
    this.#raw = [];
    this.#payload = [];
    this.#size = 0;
    this.#first = null;
  }
}

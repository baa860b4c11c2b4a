import type { FoundMessage, MessageScanner } from '../../../shared/model/message-mark.ts';

const CLOSE = 8;

interface Frame {
  opcode: number;
  final: boolean;
  compressed: boolean;
  start: number;
  length: number;
  /** The masking key's offset in the head, or -1. */
  mask: number;
}

/** A frame head's length in bytes, computed from its second byte (RFC 6455, section 5.2). */
function headLength(second: number): number {
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  return 2 + extended + (second & 0x80 ? 4 : 0);
}

/** Finds WebSocket messages by their frame heads; payloads of any size are skipped. */
export class WebSocketScanner implements MessageScanner {
  readonly #head = Buffer.alloc(14);
  #got = 0;
  #need = 2;
  /** Body offset of the next byte. */
  #at: number;
  #frame: Frame | null = null;
  #left = 0;
  /** The current data message. Control frames may come between its frames (section 5.4). */
  #message: Omit<FoundMessage, 'stop' | 'closeCode'> | null = null;
  #code = 0;

  /** `from`: body offset of the first byte to scan. */
  constructor(from: number) {
    this.#at = from;
  }

  scan(bytes: Uint8Array, found: (message: FoundMessage) => void): void {
    for (let index = 0; index < bytes.length; ) {
      index += this.#frame ? this.#payload(bytes, index, this.#frame) : this.#headBytes(bytes, index);
      if (this.#frame && this.#left === 0) this.#frameDone(this.#frame, found);
    }
  }

  #headBytes(bytes: Uint8Array, index: number): number {
    const taken = Math.min(this.#need - this.#got, bytes.length - index);
    this.#head.set(bytes.subarray(index, index + taken), this.#got);
    this.#got += taken;
    this.#at += taken;
    if (this.#got === 2) this.#need = headLength(this.#head[1] ?? 0);
    if (this.#got === this.#need) this.#beginFrame();
    return taken;
  }

  #beginFrame(): void {
    const [first = 0, second = 0] = this.#head;
    const short = second & 0x7f;
    const length =
      short === 126 ? this.#head.readUInt16BE(2) : short === 127 ? Number(this.#head.readBigUInt64BE(2)) : short;
    const mask = second & 0x80 ? this.#need - 4 : -1;
    const start = this.#at - this.#need;
    this.#frame = { opcode: first & 0x0f, final: first >= 0x80, compressed: (first & 0x40) !== 0, start, length, mask };
    this.#left = length;
    this.#code = 0;
    this.#got = 0;
    this.#need = 2;
  }

  #payload(bytes: Uint8Array, index: number, frame: Frame): number {
    const taken = Math.min(this.#left, bytes.length - index);
    if (frame.opcode === CLOSE) {
      const before = frame.length - this.#left;
      for (let place = before; place < Math.min(before + taken, 2); place += 1) {
        const key = frame.mask < 0 ? 0 : (this.#head[frame.mask + place] ?? 0);
        this.#code = (this.#code << 8) | ((bytes[index + place - before] ?? 0) ^ key);
      }
    }
    this.#left -= taken;
    this.#at += taken;
    return taken;
  }

  #frameDone(frame: Frame, found: (message: FoundMessage) => void): void {
    const { opcode, start, length: size, compressed } = frame;
    this.#frame = null;
    if (opcode >= CLOSE) {
      const closeCode = opcode === CLOSE && size >= 2 ? this.#code : null;
      found({ opcode, start, stop: this.#at, size, compressed, closeCode });
      return;
    }
    if (this.#message) this.#message.size += size;
    else this.#message = { opcode, start, size, compressed };
    if (!frame.final) return;
    found({ ...this.#message, stop: this.#at, closeCode: null });
    this.#message = null;
  }
}

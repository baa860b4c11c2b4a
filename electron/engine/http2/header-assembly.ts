import { CODE, ConnectionFault } from './error-codes.ts';
import { FLAG } from './frames.ts';

/**
 * Maximum CONTINUATION frames per header block. At 16 KiB each they hold 2 MiB; many small ones are an attack
 * (CVE-2024-27316).
 */
const MOST_CONTINUATIONS = 128;

/** A block over the limit. HPACK would need the rest of it: the connection has to end. */
export class HeadTooLarge extends ConnectionFault {}

/** A complete header block, still HPACK-encoded. */
export interface HeaderBlock {
  stream: number;
  endStream: boolean;
  bytes: Buffer;
  /** The stream that its priority depends on (RFC 7540, section 5.3.1); 0 if unspecified. */
  dependsOn: number;
}

/** Assembles HEADERS and CONTINUATION frames (RFC 9113, section 6.10). Throws ConnectionFault. */
export class HeaderAssembly {
  readonly #limit: number;
  #open: HeaderBlock | null = null;
  #pieces: Buffer[] = [];
  #size = 0;

  /** `limit`: maximum compressed size of a block, bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a block is incomplete. No other frame may appear before its last. */
  get isOpen(): boolean {
    return this.#open !== null;
  }

  /** Returns the block if this frame completes it. */
  headers(stream: number, flags: number, payload: Buffer): HeaderBlock | null {
    let at = 0;
    let padding = 0;
    let dependsOn = 0;
    if (flags & FLAG.padded) {
      padding = payload[0] ?? 0;
      at = 1;
    }
    if (flags & FLAG.priority) {
      if (payload.length < at + 5)
        throw new ConnectionFault(CODE.FRAME_SIZE_ERROR, 'HEADERS without the priority fields');
      dependsOn = payload.readUInt32BE(at) & 0x7fff_ffff;
      at += 5;
    }
    const end = payload.length - padding;
    if (end < at) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'padding longer than its frame');
    const bytes = payload.subarray(at, end);
    const block = { stream, endStream: (flags & FLAG.endStream) !== 0, bytes, dependsOn };
    if (flags & FLAG.endHeaders) return block;
    this.#open = block;
    this.#pieces = [];
    this.#size = 0;
    this.#add(bytes);
    return null;
  }

  continuation(stream: number, flags: number, payload: Buffer): HeaderBlock | null {
    const block = this.#open;
    if (block?.stream !== stream) throw new ConnectionFault(CODE.PROTOCOL_ERROR, 'CONTINUATION without HEADERS');
    this.#add(payload);
    if ((flags & FLAG.endHeaders) === 0) return null;
    this.#open = null;
    const bytes = Buffer.concat(this.#pieces, this.#size);
    this.#pieces = [];
    return { ...block, bytes };
  }

  #add(bytes: Buffer): void {
    this.#pieces.push(bytes);
    this.#size += bytes.length;
    if (this.#size > this.#limit) {
      throw new HeadTooLarge(CODE.ENHANCE_YOUR_CALM, `a header block over ${this.#limit} bytes`);
    }
    if (this.#pieces.length > MOST_CONTINUATIONS) {
      throw new ConnectionFault(CODE.ENHANCE_YOUR_CALM, 'a flood of CONTINUATION frames');
    }
  }
}

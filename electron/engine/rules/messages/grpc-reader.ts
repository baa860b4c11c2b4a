import type { RawHeaders } from '../../../../shared/model/headers.ts';
import { MESSAGE_LIMIT, MESSAGE_TOO_LARGE, NO_CODING, type StreamPart, type StreamReader } from './stream-part.ts';

/** A flag and the length, before each message (gRPC over HTTP/2, "Length-Prefixed-Message"). */
const PREFIX = 5;

function encoded(flag: number, payload: Buffer): Buffer {
  const prefix = Buffer.alloc(PREFIX);
  prefix[0] = flag;
  prefix.writeUInt32BE(payload.length, 1);
  return Buffer.concat([prefix, payload]);
}

/** Cuts one direction of a gRPC call. Compressed messages are edited decoded, and keep their coding. */
export class GrpcReader implements StreamReader {
  /** Each message is coded separately. */
  readonly coding = null;
  #bytes: Buffer = Buffer.alloc(0);
  #passing = 0;
  readonly #codings: RawHeaders;

  /** `coding`: the value of `grpc-encoding`. */
  constructor(coding: string | undefined) {
    this.#codings = coding === undefined ? NO_CODING : ['content-encoding', coding];
  }

  read(chunk: Buffer): StreamPart[] {
    this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk]);
    const parts: StreamPart[] = [];
    while (this.#step(parts)) {}
    return parts;
  }

  rest(): Buffer {
    const raw = this.#bytes;
    this.#bytes = Buffer.alloc(0);
    return raw;
  }

  #step(parts: StreamPart[]): boolean {
    if (this.#passing > 0) {
      const raw = this.#taken(Math.min(this.#passing, this.#bytes.length));
      this.#passing -= raw.length;
      if (raw.length > 0) parts.push({ raw, message: null });
      return this.#bytes.length > 0;
    }
    if (this.#bytes.length < PREFIX) return false;
    const flag = this.#bytes[0] ?? 0;
    const whole = PREFIX + this.#bytes.readUInt32BE(1);
    if (whole > MESSAGE_LIMIT) {
      parts.push({ raw: Buffer.alloc(0), message: null, problem: MESSAGE_TOO_LARGE });
      this.#passing = whole;
      return true;
    }
    if (this.#bytes.length < whole) return false;
    const raw = this.#taken(whole);
    const codings = flag === 1 ? this.#codings : NO_CODING;
    const encode = (payload: Buffer) => encoded(flag, payload);
    parts.push({ raw, message: { payload: raw.subarray(PREFIX), codings, encode } });
    return true;
  }

  #taken(count: number): Buffer {
    const raw = this.#bytes.subarray(0, count);
    this.#bytes = this.#bytes.subarray(count);
    return raw;
  }
}

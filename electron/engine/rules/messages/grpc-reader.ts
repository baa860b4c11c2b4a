import type { RawHeaders } from '../../../../shared/model/headers.ts';
import { MESSAGE_LIMIT, MESSAGE_TOO_LARGE, NO_CODING, type StreamPart, type StreamReader } from './stream-part.ts';
import { UncutBytes } from './uncut-bytes.ts';

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
  readonly #uncut = new UncutBytes();
  readonly #codings: RawHeaders;

  /** `coding`: the value of `grpc-encoding`. */
  constructor(coding: string | undefined) {
    this.#codings = coding === undefined ? NO_CODING : ['content-encoding', coding];
  }

  read(chunk: Buffer): StreamPart[] {
    return this.#uncut.add(chunk, (parts) => this.#cut(parts));
  }

  rest(): Buffer {
    return this.#uncut.take(this.#uncut.waiting.length);
  }

  #cut(parts: StreamPart[]): boolean {
    const { waiting } = this.#uncut;
    if (waiting.length < PREFIX) return false;
    const flag = waiting[0] ?? 0;
    const whole = PREFIX + waiting.readUInt32BE(1);
    if (whole > MESSAGE_LIMIT) {
      parts.push({ raw: Buffer.alloc(0), message: null, problem: MESSAGE_TOO_LARGE });
      this.#uncut.letPass(whole);
      return true;
    }
    if (waiting.length < whole) return false;
    const raw = this.#uncut.take(whole);
    const codings = flag === 1 ? this.#codings : NO_CODING;
    const encode = (payload: Buffer) => encoded(flag, payload);
    parts.push({ raw, message: { payload: raw.subarray(PREFIX), codings, encode } });
    return true;
  }
}

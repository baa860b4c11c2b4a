import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { ChangeMessage } from '../../../../shared/model/rule/actions.ts';
import { lastChunk } from '../../http/header-rules.ts';
import type { RequestHead, ResponseHead } from '../../http/message.ts';
import { changedTrailers } from '../../rules/trailers.ts';
import { chunkOf } from './edited-body.ts';

/** Changes the trailers of one message as it passes. Its body keeps its content, and gets chunks of our own. */
export class TrailerEdit {
  readonly #changes: readonly ChangeMessage[];
  readonly #isHttp2: boolean;
  readonly #isChunked: boolean;

  /** `head`: as it goes out. */
  constructor(changes: readonly ChangeMessage[], { version, wire, framing }: RequestHead | ResponseHead) {
    this.#changes = changes;
    this.#isHttp2 = version === 'HTTP/2.0';
    this.#isChunked = wire !== null && framing.kind === 'chunked';
  }

  changed(trailers: RawHeaders): RawHeaders {
    return changedTrailers(trailers, this.#changes, this.#isHttp2);
  }

  /** A part of the body in the bytes of HTTP/1.1: those that came may hold the old trailers, or no chunks at all. */
  framed(wire: Buffer | null, payload: readonly Buffer[]): Buffer | null {
    if (!this.#isChunked) return wire;
    const bytes = Buffer.concat(payload);
    return bytes.length === 0 ? bytes : chunkOf(bytes);
  }

  /** What ends the body in those bytes; null: another hop writes it. */
  end(trailers: RawHeaders): Buffer | null {
    return this.#isChunked ? lastChunk(trailers) : null;
  }
}

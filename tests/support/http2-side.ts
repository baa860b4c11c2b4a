import type { Http2Stream } from '../../electron/engine/http2/stream.ts';
import type { StreamClose, StreamHandlers } from '../../electron/engine/http2/stream-events.ts';

export interface SidePlan {
  /** Sizes of the pieces that it sends. */
  sends: readonly number[];
  trailers: boolean;
  /** It pauses for a turn after this many pieces; 0: never. */
  holds: number;
  /** It resets the stream after this many bytes. */
  resetAt: number | null;
}

/** Bytes that identify their position. */
export function patterned(sizes: readonly number[]): Buffer {
  const all = Buffer.alloc(sizes.reduce((sum, each) => sum + each, 0));
  for (let at = 0; at < all.length; at += 1) all[at] = (at * 7 + (at >> 8)) & 0xff;
  return all;
}

export const TRAILERS = ['x-sum', 'all of it'];

/** One end of an exchange: sends as allowed, reads at its own pace. */
export class Side implements StreamHandlers {
  readonly plan: SidePlan;
  readonly received: Buffer[] = [];
  bytes = 0;
  ended = false;
  trailers: readonly string[] = [];
  closed: StreamClose | null = null;
  hasReset = false;
  /** Something was reported after the end. */
  toldTooMuch = false;
  #stream: Http2Stream | null = null;
  readonly #out: Buffer;
  #at = 0;
  #next = 0;
  #pieces = 0;

  constructor(plan: SidePlan) {
    this.plan = plan;
    this.#out = patterned(plan.sends);
  }

  /** The other side has ended, or never began. */
  get done(): boolean {
    return this.ended || this.closed !== null || this.hasReset;
  }

  start(stream: Http2Stream): void {
    this.#stream = stream;
    this.#pump();
  }

  #pump(): void {
    const { sends, trailers } = this.plan;
    for (let size = sends[this.#next]; size !== undefined; size = sends[this.#next]) {
      const piece = this.#out.subarray(this.#at, this.#at + size);
      this.#at += size;
      this.#next += 1;
      if (this.#stream?.write(piece) === false) return;
    }
    this.#stream?.end(trailers ? TRAILERS : []);
  }

  #heard(): void {
    if (this.closed || this.hasReset) this.toldTooMuch = true;
  }

  onHead(): void {
    this.#heard();
  }

  onData(bytes: Buffer): boolean {
    this.#heard();
    this.received.push(Buffer.from(bytes));
    this.bytes += bytes.length;
    this.#pieces += 1;
    const { resetAt, holds } = this.plan;
    if (resetAt !== null && this.bytes >= resetAt) {
      this.hasReset = true;
      this.#stream?.reset(8);
      return true;
    }
    if (holds === 0 || this.#pieces % holds !== 0) return true;
    setImmediate(() => this.#stream?.resume());
    return false;
  }

  onEnd(trailers: readonly string[]): void {
    this.#heard();
    this.toldTooMuch ||= this.ended;
    this.ended = true;
    this.trailers = trailers;
  }

  onReadOver(): void {
    this.#heard();
  }

  onDrained(): void {
    this.#heard();
    this.#pump();
  }

  onSilence(): void {}

  onClosed(how: StreamClose): void {
    this.#heard();
    this.closed = how;
  }
}

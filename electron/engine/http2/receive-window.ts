import { CODE, ConnectionFault } from './error-codes.ts';
import type { FrameOutput } from './frame-output.ts';
import { FRAME, wordFrame } from './frames.ts';

/** What the peer may send on the whole connection (RFC 9113, section 6.9). */
export class ReceiveWindow {
  readonly #size: number;
  readonly #output: FrameOutput;
  #left: number;
  #consumed = 0;

  /** `size`: bytes, as announced. */
  constructor(size: number, output: FrameOutput) {
    this.#size = size;
    this.#left = size;
    this.#output = output;
  }

  /** A DATA frame, padding included. Throws ConnectionFault. */
  count(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new ConnectionFault(CODE.FLOW_CONTROL_ERROR, 'more DATA than the window takes');
  }

  /** Nobody holds them any more. At half of the window the peer is told, in one frame for many. */
  consumed(bytes: number): void {
    this.#consumed += bytes;
    if (this.#consumed * 2 < this.#size) return;
    this.#output.push(wordFrame(FRAME.windowUpdate, 0, this.#consumed));
    this.#left += this.#consumed;
    this.#consumed = 0;
  }
}

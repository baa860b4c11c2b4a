import { CODE, ConnectionFault } from './error-codes.ts';
import { FRAME, wordFrame } from './frames.ts';
import type { FrameOutput } from './sending/frame-output.ts';

/** The connection's receive window (RFC 9113, section 6.9). */
export class ReceiveWindow {
  readonly #size: number;
  readonly #output: FrameOutput;
  #left: number;
  #consumed = 0;

  /** `size`: the announced window, bytes. */
  constructor(size: number, output: FrameOutput) {
    this.#size = size;
    this.#left = size;
    this.#output = output;
  }

  /** Counts a DATA frame, including padding. Throws ConnectionFault. */
  count(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw new ConnectionFault(CODE.FLOW_CONTROL_ERROR, 'more DATA than the window allows');
  }

  /** Marks bytes as processed. Sends WINDOW_UPDATE once half of the window is consumed, rather than for each frame. */
  consumed(bytes: number): void {
    this.#consumed += bytes;
    if (this.#consumed * 2 < this.#size) return;
    this.#output.push(wordFrame(FRAME.windowUpdate, 0, this.#consumed));
    this.#left += this.#consumed;
    this.#consumed = 0;
  }
}

import type { FrameSender } from './frame-output.ts';

/**
 * When the frames of one stream left, by `performance.now()`; -1: not yet. The times are its own: a connection writes
 * frames of other streams before, between and after them.
 */
export class FrameStamps implements FrameSender {
  /** The first frame since `begin`. */
  firstAt = -1;
  /** The latest frame. */
  latestAt = -1;
  /** The frame that ended the stream. */
  lastAt = -1;
  /** The frame that ends the stream has been pushed. */
  ends = false;
  #tell: (() => void) | null = null;

  /** Starts a new message: the final response after informational ones. */
  begin(): void {
    this.firstAt = -1;
  }

  /** Calls `tell` once, when the first or the last frame leaves. */
  whenOut(tell: () => void): void {
    this.#tell = tell;
  }

  left(at: number): void {
    const isFirst = this.firstAt < 0;
    if (isFirst) this.firstAt = at;
    this.latestAt = at;
    const isLast = this.ends && this.lastAt < 0;
    if (isLast) this.lastAt = at;
    const tell = this.#tell;
    if (tell === null || !(isFirst || isLast)) return;
    this.#tell = null;
    tell();
  }
}

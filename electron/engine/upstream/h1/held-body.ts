import type { GatheredWriter } from '../../http/gathered-writer.ts';

/** How long a large body waits for a challenge of the proxy, milliseconds: as long as curl waits for 100 (Continue). */
const CHALLENGE_TIME = 1_000;

/** Holds a body that could not be resent until the proxy has accepted the head, or has not responded in time. */
export class HeldBody {
  readonly #writer: GatheredWriter;
  readonly #drain: () => void;
  #timer: NodeJS.Timeout | null = null;

  /** `drain` runs when the body is released and the socket accepts more of it. */
  constructor(writer: GatheredWriter, drain: () => void) {
    this.#writer = writer;
    this.#drain = drain;
  }

  hold(): void {
    this.#writer.hold();
    this.#timer = setTimeout(() => this.letGo(), CHALLENGE_TIME);
  }

  /** The proxy has accepted the head, or is one that reads the body first. */
  letGo(): void {
    if (!this.#writer.held) return;
    this.stop();
    if (this.#writer.letGo()) this.#drain();
  }

  /** The body stays unsent. */
  stop(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

import { NO_TIMINGS, type Timings } from '../../../shared/model/timings.ts';
import type { ConnectionError } from '../upstream/connect/connection-error.ts';
import type { Opening, Written } from '../upstream/upstream-stream.ts';

/** Milliseconds with microseconds as decimals. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** In the order in which an exchange comes to them. */
export const STAGES = { blocked: 0, sending: 1, waiting: 2, receiving: 3 } as const;
export type Stage = (typeof STAGES)[keyof typeof STAGES];

/** The moments of one exchange, by `performance.now()`; -1: not yet. Its phases are what lies between them. */
export class ExchangeClock {
  /** The request's head was in. */
  readonly headAt: number;
  opening: Opening | null = null;
  /** First and last byte of the request out upstream. */
  sendAt = -1;
  sentAt = -1;
  /** First byte of the response in, and out to the client. */
  firstByteAt = -1;
  firstOutAt = -1;
  /** Last byte of the response in, and all of it out to the client. */
  lastByteAt = -1;
  endAt = -1;
  /** Milliseconds before `sendAt` that were upstream's, or the network's: no overhead of ours. */
  #waited = 0;
  /** The first try that failed began, and the last of them ended, or the one after it began; -1: none did. */
  #failedFrom = -1;
  #failedTo = -1;

  constructor(headAt: number) {
    this.headAt = headAt;
  }

  /** Leaves out of the overhead what passed while a connection was waited for, opened by this exchange or by another. */
  waited(from: number, to: number): void {
    this.#waited += Math.max(to - from, 0);
  }

  /** Takes over when what was written of the request left. `whole`: all of it was written. */
  requestOut(written: Written | undefined, whole: boolean): void {
    if (!written || written.firstAt < 0) return;
    if (this.sendAt < 0) this.sendAt = Math.max(written.firstAt, this.headAt);
    if (whole && this.sentAt < 0) this.sentAt = Math.max(written.lastAt, this.sendAt);
  }

  /** The response's first byte was in, at the earliest: it cannot have come before the request was out. */
  answered(at: number): void {
    this.firstByteAt = Math.max(at, this.sendAt, this.sentAt, this.headAt);
  }

  /** The response's first byte left for the client. */
  answerOut(first: number): void {
    if (first >= 0 && this.firstOutAt < 0 && this.firstByteAt >= 0) this.firstOutAt = Math.max(first, this.firstByteAt);
  }

  /** All of the response is in, and what there was to write of it left. */
  ended(last: number): void {
    if (this.endAt < 0) this.endAt = Math.max(last, this.lastByteAt, this.firstOutAt, this.firstByteAt);
  }

  /** How far it is: the phase that goes on, of those that come one after another. */
  get stage(): Stage {
    if (this.firstByteAt >= 0) return STAGES.receiving;
    if (this.sendAt < 0) return STAGES.blocked;
    return this.sentAt < 0 ? STAGES.sending : STAGES.waiting;
  }

  /** A connection was lent; `opening`: what opening it cost, where it was opened for this exchange, and the tries before. */
  lent(opening: Opening | null): void {
    this.opening = opening;
    const first = opening?.failed[0];
    if (opening && first) this.failed(first.startedAt, opening.startedAt);
  }

  /** No connection was to be had, which was asked for at `asked`. */
  unopened({ earlier, startedAt }: ConnectionError, asked: number): void {
    this.failed(Math.max(earlier[0]?.startedAt ?? startedAt, asked), performance.now());
  }

  /** Tries between these two moments came to nothing. */
  failed(from: number, to: number): void {
    if (this.#failedFrom < 0) this.#failedFrom = Math.max(from, this.headAt);
    this.#failedTo = to;
  }

  /** Before another try: what was measured of the last belongs to its attempt. */
  retry(): void {
    if (this.sendAt >= 0) {
      this.waited(this.sendAt, performance.now());
      this.failed(this.opening?.startedAt ?? this.sendAt, performance.now());
    }
    this.opening = null;
    this.sendAt = -1;
    this.sentAt = -1;
    this.firstByteAt = -1;
  }

  /**
   * What a connection cost that had been opened before the request came (at CONNECT time, beside the client's handshake)
   * is shown with the exchange it was opened for, and that exchange begins as much earlier: its phases stay without gaps.
   */
  get startedAt(): number {
    const { opening } = this;
    if (!opening || opening.startedAt >= this.headAt) return this.headAt;
    return this.#blockedFrom - Math.max(opening.dns, 0) - opening.connect;
  }

  /** A request that comes while a connection is opened that was begun before waits for it, and is blocked only behind that. */
  get #blockedFrom(): number {
    const { opening, headAt } = this;
    return opening && opening.startedAt < headAt ? Math.max(headAt, opening.endedAt) : headAt;
  }

  /** Each phase as far as it is known: of one that goes on, and of those behind it, nothing. */
  write(into: Timings): void {
    const { opening } = this;
    Object.assign(into, NO_TIMINGS);
    into.dns = opening && opening.dns >= 0 ? round(opening.dns) : -1;
    into.connect = opening ? round(opening.connect) : -1;
    into.ssl = opening && opening.ssl >= 0 ? round(opening.ssl) : -1;
    if (this.sendAt < 0) {
      into.blocked = round((this.endAt < 0 ? performance.now() : this.endAt) - this.headAt);
      this.#writeFailed(into);
      return;
    }
    const inside =
      opening !== null && opening.startedAt >= this.headAt ? Math.max(opening.dns, 0) + opening.connect : 0;
    into.blocked = round(Math.max(this.sendAt - this.#blockedFrom - inside, 0));
    this.#writeFailed(into);
    const ours = round(Math.max(this.sendAt - this.headAt - this.#waited, 0));
    into.overheadRequest = Math.min(ours, into.blocked);
    this.#writeSending(into);
    if (this.firstByteAt >= 0) this.#writeReceiving(into);
  }

  #writeFailed(into: Timings): void {
    if (this.#failedFrom >= 0)
      into.failedTries = Math.min(round(Math.max(this.#failedTo - this.#failedFrom, 0)), into.blocked);
  }

  /** A response may begin before the request is all out: sending then ends, for the waterfall, where receiving begins. */
  #writeSending(into: Timings): void {
    if (this.sentAt < 0 && this.firstByteAt < 0) {
      // It ended while it was sent.
      if (this.endAt >= 0) into.send = round(this.endAt - this.sendAt);
      return;
    }
    const sent = this.#sentEnd;
    into.send = round(sent - this.sendAt);
    if (this.firstByteAt >= 0) into.wait = round(this.firstByteAt - sent);
    else if (this.endAt >= 0) into.wait = round(this.endAt - sent);
  }

  get #sentEnd(): number {
    if (this.sentAt < 0) return this.firstByteAt;
    return this.firstByteAt < 0 ? this.sentAt : Math.min(this.sentAt, this.firstByteAt);
  }

  #writeReceiving(into: Timings): void {
    if (this.firstOutAt >= 0) into.overheadResponse = round(this.firstOutAt - this.firstByteAt);
    if (this.endAt >= 0) into.receive = round(this.endAt - this.firstByteAt);
  }
}

import { NO_TIMINGS, type Timings } from '../../../shared/model/timings.ts';
import type { ConnectionError } from '../upstream/connect/connection-error.ts';
import type { Opening, Written } from '../upstream/upstream-stream.ts';

/** Milliseconds, rounded to whole microseconds. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** A part of a phase: it never exceeds the phase, unless that is still running (-1). */
function part(milliseconds: number, phase: number): number {
  return round(Math.max(phase < 0 ? milliseconds : Math.min(milliseconds, phase), 0));
}

/** The stages in the order in which an exchange reaches them. */
export const STAGES = { blocked: 0, sending: 1, waiting: 2, receiving: 3 } as const;
export type Stage = (typeof STAGES)[keyof typeof STAGES];

/** The timestamps of one exchange, from `performance.now()`; -1: not yet. Its phases are the intervals between them. */
export class ExchangeClock {
  /** The request's head was received. */
  readonly headAt: number;
  opening: Opening | null = null;
  /** First and last byte of the request sent upstream. */
  sendAt = -1;
  sentAt = -1;
  /** First byte of the response received, and sent to the client. */
  firstByteAt = -1;
  firstOutAt = -1;
  /** Last byte of the response received, and all of it sent to the client. */
  lastByteAt = -1;
  endAt = -1;
  /** Milliseconds before `sendAt` that upstream or the network took; they do not count as our overhead. */
  #waited = 0;
  /** Milliseconds that rules held the request, and the response; when the request's hold began and ended. */
  #heldRequest = 0;
  #heldFrom = -1;
  #heldTo = -1;
  #heldResponse = 0;
  /** The part of `#heldResponse` before the response's first byte left, and the time that the request's body waited. */
  #heldBeforeOut = 0;
  #heldBody = 0;
  /** When the first failed attempt began, and when the last one ended or the next one began; -1: none failed. */
  #failedFrom = -1;
  #failedTo = -1;

  constructor(headAt: number) {
    this.headAt = headAt;
  }

  /** Rules held the exchange between these times: not our overhead, and not upstream's time. */
  held(from: number, to: number): void {
    if (this.firstByteAt >= 0) {
      // Until the first byte leaves, a late one is our overhead, although the rest may cross the link meanwhile.
      const time = Math.max(to - Math.max(from, this.firstOutAt), 0);
      this.#heldResponse += time;
      if (this.firstOutAt < 0) this.#heldBeforeOut += time;
      return;
    }
    this.#heldRequest += to - from;
    if (this.#heldFrom < 0) this.#heldFrom = from;
    this.#heldTo = to;
    this.waited(from, to);
  }

  /**
   * The throttle held a part of the request's body between these times. Before the head is out, `held` counts them; a
   * response that has begun ends the sending.
   */
  heldBody(from: number, to: number): void {
    if (this.sendAt < 0) return;
    this.#heldBody += Math.max(this.#beforeResponse(to) - Math.max(from, this.sendAt), 0);
  }

  /** Excludes the wait for a connection from the overhead, whichever exchange opened it. */
  waited(from: number, to: number): void {
    this.#waited += Math.max(to - from, 0);
  }

  /** Stores when the request's bytes left. `whole`: all of the request was written. */
  requestOut(written: Written | undefined, whole: boolean): void {
    if (!written || written.firstAt < 0) return;
    if (this.sendAt < 0) this.sendAt = this.#beforeResponse(Math.max(written.firstAt, this.headAt));
    if (whole && this.sentAt < 0 && written.lastAt >= 0) this.sentAt = Math.max(written.lastAt, this.sendAt);
  }

  #beforeResponse(at: number): number {
    return this.firstByteAt < 0 ? at : Math.min(at, this.firstByteAt);
  }

  /** The earliest time of the response's first byte. It cannot precede the end of the request's write. */
  responded(at: number): void {
    this.firstByteAt = Math.max(at, this.sendAt, this.sentAt, this.headAt);
  }

  /** The response's first byte left for the client. */
  responseOut(first: number): void {
    if (first >= 0 && this.firstOutAt < 0 && this.firstByteAt >= 0) this.firstOutAt = Math.max(first, this.firstByteAt);
  }

  /** The whole response has arrived, and all of its bytes have left. */
  ended(last: number): void {
    if (this.endAt < 0) this.endAt = Math.max(last, this.lastByteAt, this.firstOutAt, this.firstByteAt);
  }

  /** The current stage. */
  get stage(): Stage {
    if (this.firstByteAt >= 0) return STAGES.receiving;
    if (this.sendAt < 0) return STAGES.blocked;
    return this.sentAt < 0 ? STAGES.sending : STAGES.waiting;
  }

  /**
   * A connection was lent. `opening`: the cost of opening it for this exchange, with the failed attempts before; else
   * null.
   */
  lent(opening: Opening | null): void {
    this.opening = opening;
    const first = opening?.failed[0];
    if (opening && first) this.failed(first.startedAt, opening.startedAt);
  }

  /** No connection could be opened. `asked`: when it was requested. */
  unopened({ earlier, startedAt }: ConnectionError, asked: number): void {
    this.failed(Math.max(earlier[0]?.startedAt ?? startedAt, asked), performance.now());
  }

  /** Attempts between these two times failed. A connection may have been opened before the request was released. */
  failed(from: number, to: number): void {
    if (this.#failedFrom < 0) this.#failedFrom = Math.max(from, this.headAt, this.#heldTo);
    this.#failedTo = to;
  }

  /** Call before another attempt: the measurements so far belong to the last attempt. */
  retry(): void {
    if (this.sendAt >= 0) {
      this.waited(this.sendAt, performance.now());
      this.failed(this.opening?.startedAt ?? this.sendAt, performance.now());
    }
    this.opening = null;
    this.#heldBody = 0;
    this.sendAt = -1;
    this.sentAt = -1;
    this.firstByteAt = -1;
  }

  /**
   * A connection may have been opened before the request arrived (at CONNECT time, during the client's handshake). Its
   * cost is shown with the exchange it was opened for. That exchange then begins earlier by the same amount, which
   * keeps its phases free of gaps.
   */
  get startedAt(): number {
    const { opening } = this;
    if (!opening || opening.startedAt >= this.headAt) return this.headAt;
    return this.#blockedFrom - Math.max(opening.dns, 0) - opening.connect;
  }

  /** A request that arrives while its connection is being opened waits for it; `blocked` starts only after that. */
  get #blockedFrom(): number {
    const { opening, headAt } = this;
    return opening && opening.startedAt < headAt ? Math.max(headAt, opening.endedAt) : headAt;
  }

  /** Writes each phase as far as it is known. Phases that are running or have not begun stay unset. */
  write(into: Timings): void {
    const { opening } = this;
    Object.assign(into, NO_TIMINGS);
    into.dns = opening && opening.dns >= 0 ? round(opening.dns) : -1;
    into.connect = opening ? round(opening.connect) : -1;
    into.ssl = opening && opening.ssl >= 0 ? round(opening.ssl) : -1;
    if (this.sendAt < 0) {
      const until = this.firstByteAt >= 0 ? this.firstByteAt : this.endAt;
      into.blocked = round((until < 0 ? performance.now() : until) - this.headAt);
      this.#writeBlocked(into, this.headAt);
      // A rule answered: nothing was sent.
      if (this.firstByteAt >= 0) this.#writeReceiving(into);
      return;
    }
    const inside =
      opening !== null && opening.startedAt >= this.headAt ? Math.max(opening.dns, 0) + opening.connect : 0;
    into.blocked = round(Math.max(this.sendAt - this.#blockedFrom - inside, 0));
    this.#writeBlocked(into, this.#blockedFrom);
    const ours = round(Math.max(this.sendAt - this.headAt - this.#waited, 0));
    into.overheadRequest = Math.min(ours, round(Math.max(into.blocked - Math.max(into.rules, 0), 0)));
    this.#writeSending(into);
    if (this.firstByteAt >= 0) this.#writeReceiving(into);
  }

  /** The parts of `blocked`, which began at `from`: rules may have held the request while a connection was opened. */
  #writeBlocked(into: Timings, from: number): void {
    if (this.#failedFrom >= 0)
      into.failedTries = Math.min(round(Math.max(this.#failedTo - this.#failedFrom, 0)), into.blocked);
    if (this.#heldRequest <= 0) return;
    const before = Math.max(Math.min(from, this.#heldTo) - this.#heldFrom, 0);
    into.rules = part(this.#heldRequest - before, into.blocked - Math.max(into.failedTries, 0));
  }

  /**
   * A response may begin before the request is fully sent. For the waterfall, sending then ends where receiving begins.
   */
  #writeSending(into: Timings): void {
    this.#writeSent(into);
    if (this.#heldBody > 0) into.rulesSend = part(this.#heldBody, into.send);
  }

  #writeSent(into: Timings): void {
    if (this.sentAt < 0 && this.firstByteAt < 0) {
      // The exchange ended while the request was being sent.
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
    if (this.firstOutAt >= 0)
      into.overheadResponse = round(Math.max(this.firstOutAt - this.firstByteAt - this.#heldBeforeOut, 0));
    if (this.endAt >= 0) into.receive = round(this.endAt - this.firstByteAt);
    if (this.#heldResponse > 0) into.rulesResponse = part(this.#heldResponse, into.receive);
  }
}

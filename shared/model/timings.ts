import * as v from 'valibot';

/**
 * Where the time of an exchange went, in milliseconds with microseconds as decimals, from a monotonic clock.
 * -1: the phase did not take place (a reused connection has no dns, connect or ssl) or was never reached.
 * As in HAR 1.2, `ssl` is inside `connect`; the phases other than `ssl`, `failedTries` and `overhead*` add up to the
 * total.
 */
export const TimingsSchema = v.object({
  /**
   * From the request's head being read until a connection was lent, or opening one began: queueing, and tries that
   * failed.
   */
  blocked: v.number(),
  /** The part of `blocked` that went into tries which failed, the pauses between them included. */
  failedTries: v.number(),
  /** The part of `blocked` in which rules, or the throttle, held the request. */
  rules: v.number(),
  /** The part of `receive` in which rules, or the throttle, held the response. */
  rulesResponse: v.number(),
  /** The part of `send` in which the throttle held the request's body. */
  rulesSend: v.number(),
  dns: v.number(),
  /** TCP, the upstream proxy's CONNECT and TLS together (HAR's sense). */
  connect: v.number(),
  /** The TLS part of `connect`. */
  ssl: v.number(),
  /** First byte of the request out until its last byte out. */
  send: v.number(),
  /** Last byte of the request out until the first byte of the response in: TTFB. */
  wait: v.number(),
  /** First byte of the response in until its last. */
  receive: v.number(),
  /** What Roundtrip added on the way out: request head in until first byte out upstream, connecting left out. */
  overheadRequest: v.number(),
  /** What Roundtrip added on the way back: upstream's first byte in until first byte out to the client. */
  overheadResponse: v.number(),
  /** The whole time of an imported exchange whose file tells no phase of it; -1 for all others. */
  unsplit: v.number(),
});
export type Timings = v.InferOutput<typeof TimingsSchema>;

export const NO_TIMINGS: Timings = {
  blocked: -1,
  failedTries: -1,
  rules: -1,
  rulesResponse: -1,
  rulesSend: -1,
  dns: -1,
  connect: -1,
  ssl: -1,
  send: -1,
  wait: -1,
  receive: -1,
  overheadRequest: -1,
  overheadResponse: -1,
  unsplit: -1,
};

/** Total in milliseconds, as in HAR's `time`; phases that did not take place, or are unknown, count as 0. */
export function totalTime(timings: Timings): number {
  const { blocked, dns, connect, send, wait, receive, unsplit } = timings;
  const opening = Math.max(blocked, 0) + Math.max(dns, 0) + Math.max(connect, 0);
  return opening + Math.max(send, 0) + Math.max(wait, 0) + Math.max(receive, 0) + Math.max(unsplit, 0);
}

/** The total, or -1 if nothing of it is known: that of an imported file without times, or of what has just begun. */
export function knownTotal(timings: Timings): number {
  const { blocked, dns, connect, send, wait, receive, unsplit } = timings;
  return Math.max(blocked, dns, connect, send, wait, receive, unsplit) < 0 ? -1 : totalTime(timings);
}

/**
 * The phases that an open exchange goes through once it is there, in their order; each begins where the one before
 * ends.
 */
export type RunningPhase = 'blocked' | 'send' | 'wait' | 'receive';

/** The current phase of an open exchange. */
export function runningPhase({ wait, send, overheadRequest }: Timings): RunningPhase {
  if (wait >= 0) return 'receive';
  if (send >= 0) return 'wait';
  return overheadRequest >= 0 ? 'send' : 'blocked';
}

/** Of an exchange that is open and began `elapsed` milliseconds ago: its current phase lasts until now. */
export function grownTimings(timings: Timings, elapsed: number): Timings {
  const phase = runningPhase(timings);
  const others = totalTime({ ...timings, [phase]: -1 });
  return { ...timings, [phase]: Math.max(elapsed - others, timings[phase], 0) };
}

/** The total that Roundtrip added, in milliseconds, or -1 if neither part is known. */
export function overheadTime(timings: Timings): number {
  if (timings.overheadRequest < 0 && timings.overheadResponse < 0) return -1;
  return Math.max(timings.overheadRequest, 0) + Math.max(timings.overheadResponse, 0);
}

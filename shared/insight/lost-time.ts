import { formatDuration } from '../format/durations.ts';
import type { Fact } from './fact.ts';
import { tenths } from './figures.ts';

/** A stretch of time, milliseconds since the Unix epoch. */
export interface Span {
  from: number;
  to: number;
}

/**
 * Milliseconds, in tenths, in which at least one of the spans lasts: what overlaps counts once, because nothing waited
 * for it twice.
 */
export function elapsed(spans: readonly Span[]): number {
  let sum = 0;
  let until = Number.NEGATIVE_INFINITY;
  for (const { from, to } of [...spans].sort((one, other) => one.from - other.from)) {
    sum += Math.max(to - Math.max(from, until), 0);
    until = Math.max(until, to);
  }
  return tenths(sum);
}

/** `: 12 ms` for the end of a title; empty if no time of these exchanges is known. */
export function costInWords(facts: readonly Fact[], lost: readonly Span[]): string {
  return facts.some(({ isTimed }) => isTimed) ? `: ${formatDuration(elapsed(lost))}` : '';
}

/** When the response began. */
export function firstByteAt({ end, timings }: Fact): number {
  return end - Math.max(timings.receive, 0);
}

/** When the request began to leave: its connection was open. */
export function sentAt(fact: Fact): number {
  const { send, wait } = fact.timings;
  return firstByteAt(fact) - Math.max(wait, 0) - Math.max(send, 0);
}

/** Milliseconds. A client has a response, and sends the next request, a little before its end is noted. */
const SLACK = 3;

/** Whether the client had the response at that time. */
export function hasEnded({ end }: Fact, at: number): boolean {
  return end <= at + SLACK;
}

/** All of it. */
export function wholeOf({ start, end }: Fact): Span {
  return { from: start, to: end };
}

/** Opening its connection, from DNS on. */
export function openingOf(fact: Fact): Span {
  const to = sentAt(fact);
  return { from: to - Math.max(fact.timings.connect, 0) - Math.max(fact.timings.dns, 0), to };
}

/** The rest: what another request on its connection would have been spared. */
export function afterOpening(fact: Fact): Span {
  return fact.timings.connect < 0 ? wholeOf(fact) : { from: sentAt(fact), to: fact.end };
}

/** The last `length` milliseconds before its response began. */
export function waitOf(fact: Fact, length: number): Span {
  const to = firstByteAt(fact);
  return { from: to - length, to };
}

/**
 * The part of `lost` in which a page waited: what lies within the critical path's stretch of the same exchange. Null if
 * no exchange is on one. `lost`: of `facts`, in their order.
 */
export function criticalTime(
  facts: readonly Fact[],
  lost: readonly Span[],
  critical: ReadonlyMap<number, Span>,
): number | null {
  const shared = facts.flatMap(({ id }, at) => {
    const [path, span] = [critical.get(id), lost[at]];
    return path && span ? [{ from: Math.max(path.from, span.from), to: Math.min(path.to, span.to) }] : [];
  });
  return shared.length === 0 ? null : elapsed(shared);
}

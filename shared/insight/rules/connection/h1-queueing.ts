import { counted } from '../../../format/counts.ts';
import { formatDuration } from '../../../format/durations.ts';
import { durationOf, type Fact, isFromBrowser, isHttp1 } from '../../fact.ts';
import { tenths } from '../../figures.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';

/** Connections that browsers open to one host over HTTP/1.1. */
const CONNECTIONS = 6;
const LEAST = 6;
/** Milliseconds in the queue. */
const QUEUED = 500;
/** Milliseconds between the end of one exchange and the start of the next on its connection, while others wait. */
const AT_ONCE = 15;
/** Or this share of the exchange that ended: on a busy machine a browser takes longer, and its queue is the same. */
const SHARE = 0.2;

interface Burst {
  facts: Fact[];
  /** When all connections had become busy. */
  since: number;
}

/** Whether its connection was free for so long that nothing can have waited for it. */
function isFree(last: Fact, at: number): boolean {
  return at - last.end >= Math.max(AT_ONCE, SHARE * durationOf(last));
}

/** Runs of exchanges that began as soon as one of six busy connections became free. */
function burstsOf(facts: readonly Fact[]): Burst[] {
  const bursts: Burst[] = [];
  /** The last exchange on each connection that is busy, or was until now. */
  const busy = new Map<number, Fact>();
  let current: Burst | null = null;
  let full = Number.POSITIVE_INFINITY;
  for (const fact of facts) {
    for (const [client, last] of busy) if (isFree(last, fact.start)) busy.delete(client);
    const before = busy.get(fact.client);
    const others = busy.size - (before === undefined ? 0 : 1);
    if (others < CONNECTIONS - 1) {
      if (current) bursts.push(current);
      current = null;
      full = Number.POSITIVE_INFINITY;
    } else if (before !== undefined && fact.start >= before.end) {
      current ??= { facts: [], since: full };
      current.facts.push(fact);
    }
    busy.set(fact.client, fact);
    if (busy.size >= CONNECTIONS) full = Math.min(full, fact.start);
  }
  return current === null ? bursts : [...bursts, current];
}

function evidenceOf(origin: string, all: readonly Fact[]): Evidence[] {
  const facts = all.filter((fact) => isHttp1(fact.clientProtocol) && isFromBrowser(fact));
  return burstsOf(facts).flatMap(({ facts, since }) => {
    const costMs = tenths((facts.at(-1)?.start ?? since) - since);
    if (facts.length < LEAST || costMs <= QUEUED) return [];
    return [
      {
        title:
          `${counted(facts.length, 'request')} to ${origin} waited for one of ${CONNECTIONS} connections, up to ` +
          `${formatDuration(costMs)}`,
        where: origin,
        detail: 'It is assumed that the client knew the last request when all connections became busy.',
        confidence: 'medium' as const,
        facts,
        costMs,
      },
    ];
  });
}

export const h1Queueing: InsightRule = {
  id: 'h1-queueing',
  name: 'Queueing on six HTTP/1.1 connections',
  about:
    'Browsers open six connections to a host over HTTP/1.1. Further requests wait until one is free; over HTTP/2 ' +
    'they would start at once.',
  threshold:
    `${LEAST} or more requests of a browser that began within ${AT_ONCE} ms after another on their connection (or ` +
    `${SHARE * 100} % of its duration), while the other connections were busy, and more than ${QUEUED} ms from the ` +
    'first wait to the last start.',
  source: 'Sentry, "HTTP/1.1 Overhead"; other clients choose their number of connections themselves.',
  remedy: 'Serve this host over HTTP/2, or combine the requests.',
  find: ({ byOrigin }) => [...byOrigin].flatMap(([origin, facts]) => evidenceOf(origin, facts)),
};

import { counted, timesInWords } from '../../../format/counts.ts';
import { formatDuration } from '../../../format/durations.ts';
import { type ConnectionEnder, endWords } from '../../../model/insight/connection-end.ts';
import { type Fact, isFromBrowser, isHttp1 } from '../../fact.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { elapsed, openingOf, sentAt } from '../../lost-time.ts';
import { siteOf } from '../../site.ts';
import { clientUses, leftConnections } from './left-connections.ts';

/** Handshakes of one origin; or fewer that took long. */
const LEAST = 5;
const LEAST_COSTLY = 2;
const COSTLY = 100;
/** Milliseconds. The shortest idle timeout that servers have by default (Node, Apache): longer pauses prove nothing. */
const IDLE = 5000;

interface Reason {
  what: string;
  remedy: string;
}

interface Lost {
  fact: Fact;
  reason: Reason;
}

type Why = 'client-asked' | 'server-asked' | 'http-1.0' | 'new-client' | 'unknown';

const WORDS: Record<Why, Reason> = {
  'client-asked': {
    what: 'the client asked to close (Connection: close)',
    remedy: 'Turn keep-alive on in the client: one shared agent or session, no Connection: close.',
  },
  'server-asked': {
    what: 'the server closed (Connection: close)',
    remedy: 'Turn keep-alive on in the server, and remove Connection: close from its responses.',
  },
  'http-1.0': {
    what: 'HTTP/1.0 closes after each response',
    remedy: 'Speak HTTP/1.1 or HTTP/2, which keep connections open.',
  },
  'new-client': {
    what: 'the client opened a new connection although its last one was idle',
    remedy: 'Let the client reuse connections: one shared agent, session or pool for all requests.',
  },
  unknown: {
    what: 'the idle connection was not used, for a reason that the recording does not show',
    remedy: 'Find out which side closes: compare the idle timeouts of client and server, and raise that of the server.',
  },
};

/** Remedies where the recording shows who ended the idle connection. */
const REMEDIES: Record<ConnectionEnder, string> = {
  client: WORDS['client-asked'].remedy,
  upstream:
    "Raise the server's idle timeout above the pauses of its clients, and let it accept more requests for each " +
    'connection.',
  us: "Raise Roundtrip's limits for idle connections, or turn keep-alive on in its settings.",
};

function reasonOf(last: Fact, next: Fact): Reason {
  const end = last.upstreamEnd;
  if (end === null || end.at > next.start || end.why === 'connection-close') return WORDS[whyOf(last, next)];
  return { what: endWords(end), remedy: REMEDIES[end.by] };
}

function whyOf(last: Fact, next: Fact): Why {
  const closes = (value: string | undefined) => /\bclose\b/i.test(value ?? '');
  if (closes(last.request.connection)) return 'client-asked';
  if (closes(last.response.connection)) return 'server-asked';
  if (last.upstreamProtocol === 'http/1.0' && !/keep-alive/i.test(last.response.connection ?? '')) return 'http-1.0';
  return last.client === next.client ? 'unknown' : 'new-client';
}

/**
 * What a request may share a connection with. Browsers separate them by each page's site, and by credentials (Fetch,
 * "connections"); programs have one pool.
 */
function poolOf({ origin, request }: Fact): string {
  const mode = request['sec-fetch-mode'];
  if (mode === undefined) return '';
  const isAnonymous = mode === 'cors' && request['sec-fetch-site'] !== 'same-origin';
  return `${siteOf(request.referer ?? request.origin ?? origin)} ${isAnonymous}`;
}

/**
 * A browser uses each idle connection that it may use. If it opened another one, then because it keeps them apart (a
 * preflight goes without credentials), or because the first was busy when it began to.
 */
function isBrowsersOwn(reason: Reason, fact: Fact): boolean {
  return reason === WORDS['new-client'] && isFromBrowser(fact);
}

/**
 * Exchanges of an origin, by start, that opened a connection while one was idle. Each idle one counts once, and not at
 * all if another request took it before the new one was open: browsers send several at once, and need both.
 */
function lostIn(facts: readonly Fact[]): Lost[] {
  const last = new Map<number, Fact>();
  const idle = new Map<number, Fact>();
  /** By the connection that was not used. */
  const lost = new Map<number, Lost[]>();
  for (const fact of facts) {
    if (fact.upstream === 0 || !isHttp1(fact.upstreamProtocol)) continue;
    for (const [id, used] of last) {
      if (used.end > fact.start) continue;
      last.delete(id);
      if (fact.start - used.end <= IDLE) idle.set(id, used);
    }
    if (fact.timings.connect >= 0 && !idle.has(fact.upstream)) {
      const pool = poolOf(fact);
      const [unused] = [...idle.values()]
        .filter((used) => fact.start - used.end <= IDLE && poolOf(used) === pool)
        .slice(-1);
      const reason = unused ? reasonOf(unused, fact) : null;
      if (unused && reason && !isBrowsersOwn(reason, fact)) {
        const before = lost.get(unused.upstream) ?? [];
        lost.set(unused.upstream, [...before, { fact, reason }]);
        idle.delete(unused.upstream);
      }
    }
    idle.delete(fact.upstream);
    const unneeded = lost.get(fact.upstream)?.at(-1);
    if (unneeded && fact.start < sentAt(unneeded.fact)) lost.get(fact.upstream)?.pop();
    // A response that was cut short ends its connection: players leave one at each seek.
    if (fact.state === 'complete') last.set(fact.upstream, fact);
    else last.delete(fact.upstream);
  }
  return [...lost.values()].flat().sort((one, other) => one.fact.start - other.fact.start);
}

function evidenceOf(origin: string, lost: readonly Lost[]): Evidence[] {
  const facts = lost.map(({ fact }) => fact);
  const openings = facts.map(openingOf);
  const costMs = elapsed(openings);
  if (lost.length < LEAST && (lost.length < LEAST_COSTLY || costMs < COSTLY)) return [];
  const groups = [...groupBy(lost, ({ reason }) => reason.what).values()].sort(
    (one, other) => other.length - one.length,
  );
  const details = groups.map((of) => `${timesInWords(of.length)} ${of[0]?.reason.what}`);
  const what = `${counted(lost.length, 'handshake')} with ${origin}`;
  const main = groups[0]?.[0]?.reason ?? WORDS.unknown;
  return [
    {
      title: `${what} were lost to unused keep-alive: ${formatDuration(costMs)}`,
      where: origin,
      detail: `${details.join('; ')}.`,
      remedy: main.remedy,
      confidence: main === WORDS.unknown ? 'medium' : 'high',
      facts,
      lost: openings,
    },
  ];
}

export const lostKeepAlive: InsightRule = {
  id: 'lost-keep-alive',
  name: 'Handshakes lost to unused keep-alive',
  about:
    'A request over HTTP/1 opened a connection although one to the same origin had become idle within the last 5 ' +
    "s. The finding says who closed the idle one, and why. Connections that a browser keeps apart don't count, nor " +
    'an idle one that another request takes before the new one is open.',
  threshold: `${LEAST} handshakes with one origin, or ${LEAST_COSTLY} that took ${COSTLY} ms together.`,
  source: 'RFC 9112, section 9.3; Kuizinas, "Enable HTTPS keepAlive in Node.js"; the counts are our own.',
  remedy: 'Keep connections open on both sides.',
  find: ({ byOrigin, facts: all }) => {
    const uses = clientUses(all);
    const limits = { least: LEAST, leastCostly: LEAST_COSTLY, costly: COSTLY, idle: IDLE };
    return [...byOrigin].flatMap(([origin, facts]) => [
      ...evidenceOf(origin, lostIn(facts)),
      ...leftConnections(origin, facts, uses, limits),
    ]);
  },
};

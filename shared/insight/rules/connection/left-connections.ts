import { counted } from '../../../format/counts.ts';
import { formatDuration } from '../../../format/durations.ts';
import { type Fact, isFromBrowser, isHttp1 } from '../../fact.ts';
import { median, tenths } from '../../figures.ts';
import type { Evidence } from '../../insight-rule.ts';
import { elapsed, hasEnded, openingOf } from '../../lost-time.ts';

/** The first and the last exchange of a client's connection, by its id. It may have carried several origins. */
export type ClientUses = ReadonlyMap<number, { first: Fact; last: Fact }>;

/** `facts`: by start. */
export function clientUses(facts: readonly Fact[]): ClientUses {
  const uses = new Map<number, { first: Fact; last: Fact }>();
  for (const fact of facts) {
    const use = uses.get(fact.client);
    if (use) use.last = fact;
    else uses.set(fact.client, { first: fact, last: fact });
  }
  return uses;
}

/** When a request is reported. Milliseconds. */
export interface LeftLimits {
  least: number;
  leastCostly: number;
  costly: number;
  idle: number;
}

/** Connections of a program that are remembered: a search through thousands for each request would take long. */
const MOST = 50;

/**
 * Exchanges of an origin, by start, whose program opened a connection for them although it had left one idle, which it
 * never used again. Those that opened a connection upstream are not among them: their handshake is in the recording.
 * Browsers open connections ahead of need.
 */
function reopenedIn(facts: readonly Fact[], uses: ClientUses, idle: number): Fact[] {
  const found: Fact[] = [];
  const left = new Map<string, Fact[]>();
  for (const fact of facts) {
    if (!isHttp1(fact.clientProtocol) || isFromBrowser(fact)) continue;
    const agent = fact.request['user-agent'] ?? '';
    const waiting = left.get(agent) ?? [];
    left.set(agent, waiting);
    const use = uses.get(fact.client);
    const isNew = use?.first === fact && fact.upstream > 0 && fact.timings.connect < 0;
    const unused = isNew ? waiting.findIndex((one) => hasEnded(one, fact.start) && fact.start - one.end <= idle) : -1;
    if (unused >= 0) {
      found.push(fact);
      waiting.splice(unused, 1);
    }
    if (use?.last === fact && fact.state === 'complete') waiting.push(fact);
    if (waiting.length > MOST) waiting.shift();
  }
  return found;
}

/** What a handshake with the origin took, milliseconds; null: none was recorded. */
function handshakeOf(all: readonly Fact[]): number | null {
  const openings = all.filter(({ timings }) => timings.connect >= 0).map((fact) => elapsed([openingOf(fact)]));
  return openings.length === 0 ? null : median(openings);
}

/** Roundtrip's own pool hides these handshakes. `all`: of the origin, by start. */
export function leftConnections(
  origin: string,
  all: readonly Fact[],
  uses: ClientUses,
  { least, leastCostly, costly, idle }: LeftLimits,
): Evidence[] {
  const facts = reopenedIn(all, uses, idle);
  const handshake = handshakeOf(all);
  const costMs = handshake === null ? null : tenths(handshake * facts.length);
  if (facts.length < least && (facts.length < leastCostly || (costMs ?? 0) < costly)) return [];
  const cost = costMs === null ? '' : `: ${formatDuration(costMs)} of handshakes without Roundtrip`;
  return [
    {
      title:
        `A client opened ${counted(facts.length, 'connection')} to ${origin} although its last one was ` +
        `idle${cost}`,
      where: origin,
      detail:
        'Roundtrip reused its own connections to the server. Without it, each of these requests takes a handshake as ' +
        'long as the recorded ones.',
      remedy: 'Let the client reuse connections: one shared agent, session or pool for all requests.',
      confidence: 'medium',
      facts,
      costMs,
    },
  ];
}

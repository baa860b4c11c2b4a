import { counted } from '../../../format/counts.ts';
import { formatDuration } from '../../../format/durations.ts';
import { durationOf, type Fact, isData } from '../../fact.ts';
import { sumOf, tenths } from '../../figures.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { hasEnded } from '../../lost-time.ts';

const LEAST = 3;
/** Milliseconds: of each, between two, and of all but the longest. */
const EACH = 500;
const GAP = 500;
const TOGETHER = 2000;
const HOSTS = 2;

function chainsIn(facts: readonly Fact[]): Fact[][] {
  const chains: Fact[][] = [];
  let chain: Fact[] = [];
  for (const fact of facts) {
    const last = chain.at(-1);
    const follows = last !== undefined && hasEnded(last, fact.start) && fact.start - last.end < GAP;
    if (!follows) {
      chains.push(chain);
      chain = [];
    }
    chain.push(fact);
  }
  return [...chains, chain];
}

function evidenceOf(chain: readonly Fact[]): Evidence[] {
  const costMs = tenths(sumOf(chain, durationOf) - Math.max(...chain.map(durationOf)));
  const hosts = new Set(chain.map(({ host }) => host)).size;
  const templates = new Set(chain.map(({ method, template }) => `${method} ${template}`)).size;
  // One address repeatedly is polling, or waits for its response on purpose.
  if (chain.length < LEAST || costMs < TOGETHER || hosts > HOSTS || templates === 1) return [];
  return [
    {
      title:
        `${counted(chain.length, 'request')} went out one after the other: together they would take ` +
        `${formatDuration(costMs)} less`,
      where: chain[0]?.origin ?? '',
      detail: 'It is assumed that none of them needs the response of another.',
      confidence: 'medium',
      facts: chain,
      costMs,
    },
  ];
}

export const sequentialChain: InsightRule = {
  id: 'sequential-chain',
  name: 'Sequential chains',
  about: 'A client sent slow requests in sequence that it could have sent together.',
  threshold:
    `${LEAST} or more that do not overlap, ${EACH} ms or more each, less than ${GAP} ms between them, ` +
    `${TOGETHER.toLocaleString('en')} ms without the longest, ${HOSTS} hosts at most, more than one path.`,
  source: 'Sentry, "Consecutive HTTP".',
  remedy: 'Send them together (Promise.all), or combine them into one request.',
  find: ({ facts }) => {
    const slow = facts.filter((fact) => isData(fact) && durationOf(fact) >= EACH);
    const clients = groupBy(slow, ({ request }) => request['user-agent'] ?? '');
    return [...clients.values()].flatMap((of) => chainsIn(of).flatMap(evidenceOf));
  },
};

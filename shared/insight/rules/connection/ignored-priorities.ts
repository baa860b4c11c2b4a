import { formatBytes } from '../../../format/sizes.ts';
import type { Fact } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { firstByteAt } from '../../lost-time.ts';

/** Urgency without a priority field (RFC 9218, section 4.1). */
const DEFAULT_URGENCY = 3;
/** Steps between two urgencies that count as different. */
const STEPS = 2;
/** Bytes of a response that is worth ordering. */
const LARGE = 64 * 1024;
const LEAST = 3;

function urgencyOf({ request }: Fact): number {
  const found = /(?:^|[,\s])u=([0-7])\b/.exec(request.priority ?? '');
  return found ? Number(found[1]) : DEFAULT_URGENCY;
}

/**
 * Less urgent responses that arrived completely while an urgent one, requested earlier, was being received. `all`: by
 * start, with the urgent one at `at`; those that began after its end are not looked at.
 */
function overtaking(urgent: Fact, all: readonly Fact[], at: number): Fact[] {
  const found: Fact[] = [];
  for (let next = at + 1; next < all.length; next++) {
    const other = all[next];
    if (other === undefined || other.start >= urgent.end) break;
    const isLess = urgencyOf(other) >= urgencyOf(urgent) + STEPS;
    if (isLess && firstByteAt(other) >= firstByteAt(urgent) && other.end < urgent.end) found.push(other);
  }
  return found;
}

function evidenceOf(facts: readonly Fact[]): Evidence[] {
  const large = facts.filter(({ responseSize }) => responseSize >= LARGE);
  if (large.length <= LEAST || !large.some(({ request }) => request.priority !== undefined)) return [];
  for (const [at, urgent] of large.entries()) {
    const others = overtaking(urgent, large, at);
    if (others.length < LEAST) continue;
    const bytes = sumOf(others, ({ responseSize }) => responseSize);
    return [
      {
        title:
          `${others.length} less urgent responses (${formatBytes(bytes)}) overtook ${urgent.path} ` +
          'on its connection',
        where: urgent.origin,
        detail:
          `Exchange ${urgent.id} was requested with urgency ${urgencyOf(urgent)}, the others later and with ` +
          `${STEPS} or more above that.`,
        severity: 'medium',
        confidence: 'medium',
        facts: [urgent, ...others],
      },
    ];
  }
  return [];
}

export const ignoredPriorities: InsightRule = {
  id: 'ignored-priorities',
  name: 'Ignored HTTP/2 priorities',
  about:
    'The client said which responses are urgent (Priority), but less urgent ones requested later on the same ' +
    'connection overtook them.',
  threshold: `${LEAST} or more responses of 64 KB and an urgency ${STEPS} steps lower.`,
  source: 'RFC 9218, sections 4.1 and 10; the counts are our own.',
  remedy: 'Use a server or CDN that follows the Priority field.',
  find: ({ byUpstream }) =>
    [...byUpstream.values()]
      .filter((facts) => facts[0]?.upstreamProtocol === 'h2' && facts[0].clientProtocol === 'h2')
      .flatMap(evidenceOf),
};

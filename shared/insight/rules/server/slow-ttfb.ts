import { counted, grouped } from '../../../format/counts.ts';
import { formatDuration } from '../../../format/durations.ts';
import { withoutQuery } from '../../../format/url.ts';
import type { Fact } from '../../fact.ts';
import { median } from '../../figures.ts';
import { kindsOf } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { elapsed, hasEnded, waitOf, wholeOf } from '../../lost-time.ts';

/** Exchanges that make a kind. */
const KIND = 10;
/** Milliseconds, and times the median of its kind. */
const SLOW = 600;
const TIMES = 3;
/** If more of a kind are slow than this share, the kind is slow, and none of them is an outlier. */
const OUTLIERS = 0.2;

/** Milliseconds of a usual response, and the share of the time in which one is awaited, of a long poll. */
const HELD = 1000;
const AWAITED = 0.9;

/** A server holds the response until it has news, and the client asks again at once: slow ones had no news. */
function isLongPoll(facts: readonly Fact[], usual: number): boolean {
  const [first] = facts;
  if (first === undefined || usual < HELD) return false;
  if (facts.some(({ path }) => withoutQuery(path) !== withoutQuery(first.path))) return false;
  const isInTurn = facts.every(({ start }, at) => {
    const before = facts[at - 1];
    return before === undefined || hasEnded(before, start);
  });
  const whole = (facts.at(-1)?.end ?? 0) - first.start;
  return isInTurn && elapsed(facts.map(wholeOf)) >= AWAITED * whole;
}

function evidenceOf(facts: readonly Fact[]): Evidence[] {
  const [first] = facts;
  if (first === undefined || facts.length < KIND) return [];
  const usual = median(facts.map(({ timings }) => timings.wait));
  const slow = facts.filter(({ timings }) => timings.wait >= SLOW && timings.wait >= TIMES * usual);
  if (slow.length === 0 || slow.length > facts.length * OUTLIERS || isLongPoll(facts, usual)) return [];
  return [
    {
      title:
        `${grouped(slow.length)} of ${counted(facts.length, 'response')} to ${first.method} ${first.template} took ` +
        `${TIMES} times as long as usual (${formatDuration(usual)}) or longer`,
      where: first.origin,
      facts: slow,
      lost: slow.map((fact) => waitOf(fact, fact.timings.wait - usual)),
    },
  ];
}

export const slowTtfb: InsightRule = {
  id: 'slow-ttfb',
  name: 'Responses slower than usual',
  about: 'A few responses took far longer to begin than others of the same method and path template.',
  threshold:
    `${KIND} or more of a kind; ${SLOW} ms to the first byte and ${TIMES} times the median; at most ` +
    `${OUTLIERS * 100} % of the kind. Long polls are left out: one address, requested again as soon as it responded, ` +
    `with ${HELD.toLocaleString('en')} ms or more as a rule.`,
  source: 'Lighthouse, "Reduce initial server response time" (600 ms); the comparison is our own.',
  remedy: 'Look for these in the log of the server: cold caches, locks, pauses, queueing.',
  find: ({ facts }) => {
    const waited = facts.filter(({ timings, resource }) => timings.wait >= 0 && resource !== 'eventsource');
    // Kinds without a slow response need no group.
    const templates = new Set(waited.filter(({ timings }) => timings.wait >= SLOW).map(({ template }) => template));
    return kindsOf(waited.filter(({ template }) => templates.has(template))).flatMap(evidenceOf);
  },
};

import { formatDuration } from '../../../format/durations.ts';
import { isLocal } from '../../fact.ts';
import { groupBy } from '../../group-by.ts';
import type { InsightRule } from '../../insight-rule.ts';
import { elapsed, openingOf } from '../../lost-time.ts';

/** Milliseconds. */
const SLOW = 200;

export const slowDns: InsightRule = {
  id: 'slow-dns',
  name: 'Slow DNS',
  about: 'Resolving a name took long, and the request waited for it.',
  threshold: `${SLOW} ms or more for one lookup; not of localhost, which no resolver answers.`,
  source: 'Google Public DNS, "Performance benefits": a lookup that no cache answers takes 130 to 400 ms on average.',
  remedy: 'Use fewer names, a nearer resolver or longer TTLs. In pages, rel=dns-prefetch or preconnect hides the time.',
  find: ({ facts }) => {
    const slow = facts.filter((fact) => fact.timings.dns >= SLOW && !isLocal(fact));
    return [...groupBy(slow, ({ host }) => host)].map(([host, of]) => {
      const lost = of.map((fact) => {
        const { from } = openingOf(fact);
        return { from, to: from + fact.timings.dns };
      });
      return { title: `Resolving ${host} took ${formatDuration(elapsed(lost))}`, where: host, facts: of, lost };
    });
  },
};

import { formatDuration } from '../../../format/durations.ts';
import { type Fact, isPrefetch } from '../../fact.ts';
import { groupBy } from '../../group-by.ts';
import type { InsightRule } from '../../insight-rule.ts';
import { waitOf } from '../../lost-time.ts';
import { navigates } from '../../navigation.ts';

/** Milliseconds: what is reported, and what a page should take. */
const SLOW = 600;
const TARGET = 100;

function isSlow(fact: Fact): boolean {
  const { resource, request, status, timings } = fact;
  // Nobody waits for what a browser prepares.
  if (isPrefetch(fact)) return false;
  return resource === 'document' && (navigates(request) ?? true) && status === 200 && timings.wait > SLOW;
}

export const slowDocument: InsightRule = {
  id: 'slow-document',
  name: 'Slow pages',
  about: 'The server took long to begin its response to a page, and nothing else can begin before.',
  threshold: `More than ${SLOW} ms to the first byte. The cost is what exceeds ${TARGET} ms.`,
  source: 'Lighthouse, "Document request latency".',
  remedy: 'Cache the page, send its beginning early, or move slow work out of it.',
  find: ({ facts }) =>
    [...groupBy(facts.filter(isSlow), ({ origin, template }) => `${origin}${template}`).values()].map((of) => {
      const slowest = Math.max(...of.map(({ timings }) => timings.wait));
      return {
        title: `The page ${of[0]?.template} took ${formatDuration(slowest)} to begin`,
        where: of[0]?.origin ?? '',
        facts: of,
        lost: of.map((fact) => waitOf(fact, fact.timings.wait - TARGET)),
      };
    }),
};

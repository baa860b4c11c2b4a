import { formatDuration } from '../../../format/durations.ts';
import { sumOf } from '../../figures.ts';
import { groupBy } from '../../group-by.ts';
import type { InsightRule } from '../../insight-rule.ts';

/** Retried exchanges of one origin, or milliseconds that they lost. */
const LEAST = 3;
const COSTLY = 200;

export const retries: InsightRule = {
  id: 'retries',
  name: 'Retries',
  about:
    'Requests needed more than one attempt: the connection was refused or reset, or the server gave the stream back.',
  threshold: `${LEAST} or more exchanges of one origin, or ${COSTLY} ms lost.`,
  source: 'Our own: Roundtrip records each attempt.',
  remedy: "Find out why the server refuses or closes: restarts, full accept queues, idle timeouts below the client's.",
  find: ({ facts }) =>
    [
      ...groupBy(
        facts.filter(({ attempts }) => attempts > 1),
        ({ origin }) => origin,
      ),
    ].flatMap(([origin, of]) => {
      const costMs = sumOf(of, ({ timings }) => Math.max(timings.failedTries, 0));
      if (of.length < LEAST && costMs < COSTLY) return [];
      const reasons = groupBy(
        of.flatMap((fact) => fact.retries),
        (reason) => reason,
      );
      const detail = [...reasons].map(([reason, { length }]) => `${reason}: ${length}`).join(', ');
      return [
        {
          title: `${of.length} requests to ${origin} needed more than one attempt: ${formatDuration(costMs)} lost`,
          where: origin,
          detail: detail === '' ? '' : `Reasons: ${detail}.`,
          facts: of,
          costMs,
        },
      ];
    }),
};

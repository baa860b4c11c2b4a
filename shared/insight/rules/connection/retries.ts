import { counted, timesInWords } from '../../../format/counts.ts';
import { formatDuration } from '../../../format/durations.ts';
import { RETRY_REASONS } from '../../../model/insight/retry-reasons.ts';
import { groupBy } from '../../group-by.ts';
import type { InsightRule } from '../../insight-rule.ts';
import { elapsed } from '../../lost-time.ts';

/** Retried exchanges of one origin, or milliseconds that they lost. */
const LEAST = 3;
const COSTLY = 200;

export const retries: InsightRule = {
  id: 'retries',
  name: 'Retries',
  about:
    'Requests needed more than one attempt: the connection was refused or reset, or the server refused the stream.',
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
      const lost = of.map(({ start, timings }) => ({ from: start, to: start + Math.max(timings.failedTries, 0) }));
      if (of.length < LEAST && elapsed(lost) < COSTLY) return [];
      const reasons = groupBy(
        of.flatMap((fact) => fact.retries),
        (reason) => reason,
      );
      const detail = [...reasons]
        .map(([reason, { length }]) => `${timesInWords(length)}: ${RETRY_REASONS[reason] ?? reason}`)
        .join('; ');
      return [
        {
          title:
            `${counted(of.length, 'request')} to ${origin} needed more than one attempt: ` +
            `${formatDuration(elapsed(lost))} lost`,
          where: origin,
          detail: detail === '' ? '' : `Retried ${detail}.`,
          facts: of,
          lost,
        },
      ];
    }),
};

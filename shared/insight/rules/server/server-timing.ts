import { formatDuration } from '../../../format/durations.ts';
import { type Fact, SLOW_RESPONSE } from '../../fact.ts';
import { sumOf } from '../../figures.ts';
import { groupBy } from '../../group-by.ts';
import type { Evidence, InsightRule } from '../../insight-rule.ts';
import { waitOf } from '../../lost-time.ts';

/** The share of the time to the first byte that one metric takes. */
const SHARE = 0.5;

interface Metric {
  name: string;
  description: string;
  /** Milliseconds. */
  duration: number;
}

/** The metrics of a Server-Timing field that have a duration. W3C Server Timing, section 3. */
export function serverTimings(value: string): Metric[] {
  return value.split(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/).flatMap((entry) => {
    const name = /^\s*([^\s;]+)/.exec(entry)?.[1];
    const duration = /;\s*dur\s*=\s*"?([\d.]+)/i.exec(entry)?.[1];
    const [, quoted, plain] = /;\s*desc\s*=\s*(?:"([^"]*)"|([^\s;]+))/i.exec(entry) ?? [];
    if (name === undefined || duration === undefined) return [];
    return [{ name, description: quoted ?? plain ?? '', duration: Number(duration) }];
  });
}

/** The metric that takes most of a slow response; metrics for the whole don't count. */
function culpritOf({ serverTiming, timings }: Fact): Metric | null {
  const metrics = serverTimings(serverTiming).filter(({ name }) => !/^(?:total|app|cdn-cache|origin)$/i.test(name));
  const [longest] = metrics.sort((one, other) => other.duration - one.duration);
  return longest && longest.duration >= timings.wait * SHARE && longest.duration <= timings.wait ? longest : null;
}

function evidenceOf(found: readonly { fact: Fact; metric: Metric }[]): Evidence[] {
  const [first] = found;
  if (first === undefined) return [];
  const { fact, metric } = first;
  const each = sumOf(found, ({ metric: { duration } }) => duration) / found.length;
  const name = metric.description === '' ? metric.name : `${metric.name} (${metric.description})`;
  return [
    {
      title:
        `The server reports that ${name} takes most of ${fact.method} ${fact.template}: ${formatDuration(each)} of ` +
        `${formatDuration(fact.timings.wait)}`,
      where: fact.origin,
      facts: found.map((one) => one.fact),
      lost: found.map((one) => waitOf(one.fact, one.metric.duration)),
    },
  ];
}

export const serverTiming: InsightRule = {
  id: 'server-timing',
  name: 'Slow step reported by the server',
  about: 'A slow response carries Server-Timing, and one metric takes most of the wait.',
  threshold:
    `${SLOW_RESPONSE} ms to the first byte, and one metric with ${SHARE * 100} % of that or more. Metrics named ` +
    'total, app or origin are left out.',
  source: 'W3C Server Timing; Lighthouse for the 600 ms.',
  remedy: 'Make that step faster.',
  find: ({ facts }) => {
    const found = facts.flatMap((fact) => {
      const metric = fact.serverTiming === '' ? null : culpritOf(fact);
      return metric === null ? [] : [{ fact, metric }];
    });
    const kinds = groupBy(found, ({ fact, metric }) => `${fact.method} ${fact.origin}${fact.template} ${metric.name}`);
    return [...kinds.values()].flatMap(evidenceOf);
  },
};

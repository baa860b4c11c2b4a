import { lazy, Suspense } from 'react';
import { formatDuration } from '../../../../shared/format/durations.ts';
import type { RepeatResult } from '../../../../shared/model/replay/composed-request.ts';
import { type Spread, summarizeReplays } from '../../../../shared/model/replay/replay-summary.ts';

/** As in the timeline, the chart's library is loaded for the first chart. */
const Course = lazy(async () => ({ default: (await import('./course.tsx')).Course }));

/** Statuses, failures and times of a repetition so far, as a table and a chart. */
export function RepeatResults({ results, times }: { results: readonly RepeatResult[]; times: number }) {
  const summary = summarizeReplays(results);
  const statuses = Object.entries(summary.statuses).map(([status, count]) => `${status} × ${count}`);
  return (
    <>
      <p role="status">
        {summary.sent} of {times} sent, {summary.failed} failed{statuses.length > 0 && `; ${statuses.join(', ')}`}
      </p>
      <table className="repeat-table">
        <thead>
          <tr>
            {['Time', 'Minimum', 'Median', 'p95'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Row name="TTFB" spread={summary.ttfb} />
          <Row name="Total" spread={summary.total} />
        </tbody>
      </table>
      <Suspense>
        <Course results={results} />
      </Suspense>
    </>
  );
}

/** Without a response there is no spread: -1 shows as unknown. */
function Row({ name, spread }: { name: string; spread: Spread | null }) {
  const { min, median, p95 } = spread ?? { min: -1, median: -1, p95: -1 };
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>{formatDuration(min)}</td>
      <td>{formatDuration(median)}</td>
      <td>{formatDuration(p95)}</td>
    </tr>
  );
}

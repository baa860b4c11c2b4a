import * as v from 'valibot';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { defineTool } from '../define-tool.ts';
import { matchingRows } from '../read/rows.ts';
import { count, Query, Session } from './common-inputs.ts';

interface Bucket {
  started: number;
  failed: number;
  bytes: number;
  /** Null: no time is known. */
  slowest: number | null;
  slowestId: number | null;
}

function add(bucket: Bucket | undefined, row: ExchangeSummary): void {
  if (bucket === undefined) return;
  bucket.started += 1;
  if (row.state === 'failed' || row.status >= 400) bucket.failed += 1;
  bucket.bytes += Math.max(row.responseSize, 0);
  if (row.total < (bucket.slowest ?? 0)) return;
  bucket.slowest = Math.round(row.total);
  bucket.slowestId = row.id;
}

export const timeline = defineTool({
  name: 'timeline',
  description:
    'When exchanges started: equal slices of time with count, failures, bytes and the slowest exchange (ms, id).',
  input: v.strictObject({ query: Query, slices: count(100, 20), session: Session }),
  async run({ query, slices, session }, context) {
    let [from, to, matching] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
    for await (const row of matchingRows(context, { session, query })) {
      from = Math.min(from, row.startedAt);
      to = Math.max(to, row.startedAt);
      matching += 1;
    }
    if (matching === 0) return { matching, slices: [] };
    const width = Math.max((to - from) / slices, 1);
    const empty = (): Bucket => ({ started: 0, failed: 0, bytes: 0, slowest: null, slowestId: null });
    const buckets = Array.from({ length: slices }, empty);
    for await (const row of matchingRows(context, { session, query }))
      add(buckets[Math.min(Math.floor((row.startedAt - from) / width), slices - 1)], row);
    const shown = buckets.map((bucket, at) => ({ at: Math.round(at * width), ...bucket }));
    const start = new Date(from).toISOString();
    return { matching, start, sliceMs: Math.round(width), slices: shown.filter(({ started }) => started > 0) };
  },
});

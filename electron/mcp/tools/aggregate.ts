import * as v from 'valibot';
import { pathTemplate } from '../../../shared/format/path-template.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { defineTool } from '../define-tool.ts';
import { matchingRows } from '../read/rows.ts';
import { count, Query, Session } from './common-inputs.ts';

/** What exchanges can be grouped by. */
const KEYS: Record<string, (row: ExchangeSummary) => string> = {
  host: (row) => row.authority,
  template: (row) => `${row.method} ${row.authority}${pathTemplate(row.path)}`,
  status: (row) => String(row.status),
  method: (row) => row.method,
  type: (row) => row.mediaType,
  protocol: (row) => row.protocol,
  error: (row) => row.failureCode ?? '',
  minute: (row) => new Date(row.startedAt).toISOString().slice(0, 16),
};

interface Group {
  count: number;
  failed: number;
  bytes: number;
  ttfb: number[];
  total: number[];
}

/** The value below which a share of the measures lies; null without measures. Sorts them. */
function percentile(values: number[], share: number): number | null {
  values.sort((a, b) => a - b);
  const value = values[Math.min(Math.floor(values.length * share), values.length - 1)];
  return value === undefined ? null : Math.round(value * 1000) / 1000;
}

function add(group: Group, row: ExchangeSummary): void {
  group.count += 1;
  if (row.state === 'failed' || row.status >= 400) group.failed += 1;
  group.bytes += Math.max(row.responseSize, 0);
  if (row.ttfb >= 0) group.ttfb.push(row.ttfb);
  if (row.state !== 'open' && row.total >= 0) group.total.push(row.total);
}

function summed(key: string, { count, failed, bytes, ttfb, total }: Group): Record<string, unknown> {
  const measures = {
    ttfbP50: percentile(ttfb, 0.5),
    ttfbP95: percentile(ttfb, 0.95),
    totalP50: percentile(total, 0.5),
    totalP95: percentile(total, 0.95),
  };
  return { key, count, failed, bytes, ...measures };
}

export const aggregate = defineTool({
  name: 'aggregate',
  description:
    'Counts, failures (status 400 and above too), bytes, and p50 and p95 of ttfb and total in ms, by group. Start ' +
    'here: it costs less than a list. `template` groups by method, host and path with {id}.',
  input: v.strictObject({
    query: Query,
    groupBy: v.optional(v.picklist(Object.keys(KEYS)), 'host'),
    sortBy: v.optional(v.picklist(['count', 'failed', 'bytes', 'totalP95']), 'count'),
    limit: count(200, 20),
    session: Session,
  }),
  async run({ query, groupBy, sortBy, limit, session }, context) {
    const keyOf = KEYS[groupBy] ?? (() => '');
    const groups = new Map<string, Group>();
    for await (const row of matchingRows(context, { session, query })) {
      const key = keyOf(row);
      const group = groups.get(key) ?? { count: 0, failed: 0, bytes: 0, ttfb: [], total: [] };
      add(group, row);
      groups.set(key, group);
    }
    const all = [...groups].map(([key, group]) => summed(key, group));
    all.sort((a, b) => Number(b[sortBy]) - Number(a[sortBy]));
    return { groups: all.length, rows: all.slice(0, limit) };
  },
});

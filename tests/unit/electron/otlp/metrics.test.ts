import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../../electron/otlp/metrics.ts';
import { summaryNow } from '../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';

interface Point {
  count: string;
  sum: number;
  bucketCounts: string[];
  attributes: { key: string; value: object }[];
}

function pointsOf(metrics: Metrics, name: string): Point[] {
  const all = metrics.snapshot(1000) as { name: string; histogram: { dataPoints: Point[] } }[];
  return all.find((one) => one.name === name)?.histogram.dataPoints ?? [];
}

const row = summaryNow(exampleExchange());

describe('histograms', () => {
  it('count by host, template, method and status, in seconds', () => {
    const metrics = new Metrics(0);
    metrics.add({ ...row, path: '/users/1', status: 200, ttfb: 20 });
    metrics.add({ ...row, path: '/users/2', status: 200, ttfb: 3000 });
    metrics.add({ ...row, path: '/users/3', status: 404, ttfb: -1 });
    const [ttfb, ...others] = pointsOf(metrics, 'roundtrip.ttfb');
    expect(others).toEqual([]);
    expect(ttfb).toMatchObject({ count: '2', sum: 3.02 });
    expect(ttfb?.bucketCounts[2]).toBe('1');
    expect(ttfb?.bucketCounts[11]).toBe('1');
    expect(ttfb?.attributes).toContainEqual({ key: 'url.template', value: { stringValue: '/users/{id}' } });
    expect(pointsOf(metrics, 'http.client.request.duration')).toHaveLength(2);
  });

  it('have a bounded number of series', () => {
    const metrics = new Metrics(0);
    for (let host = 0; host < 2100; host += 1) metrics.add({ ...row, authority: `h${host}.test` });
    const points = pointsOf(metrics, 'http.client.request.duration');
    expect(points).toHaveLength(2001);
    expect(points.at(-1)).toMatchObject({ count: '100', attributes: [{ key: 'otel.metric.overflow' }] });
  });
});

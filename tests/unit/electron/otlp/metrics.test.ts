import { describe, expect, it } from 'vitest';
import { Metrics } from '../../../../electron/otlp/metrics.ts';
import { summaryNow } from '../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';
import { histogramsIn, type ReadPoint } from '../../../support/otlp-request.ts';

const RESOURCE = { session: '7f3c1f0e-2a51-4b6e-9d55-0c2f6f1c9a11', version: '1.2.3' };

function pointsOf(metrics: Metrics, name: string): ReadPoint[] {
  return histogramsIn(metrics.snapshot(1000) ?? new Uint8Array())[name] ?? [];
}

const row = summaryNow(exampleExchange());

describe('histograms', () => {
  it('are not sent before the first exchange', () => {
    expect(new Metrics(RESOURCE, 0).snapshot(1000)).toBeNull();
  });

  it('count by host, template, method and status, in seconds', () => {
    const metrics = new Metrics(RESOURCE, 0);
    metrics.add({ ...row, path: '/users/1', status: 200, ttfb: 20 });
    metrics.add({ ...row, path: '/users/2', status: 200, ttfb: 3000 });
    metrics.add({ ...row, path: '/users/3', status: 404, ttfb: -1 });
    const [ttfb, ...others] = pointsOf(metrics, 'roundtrip.ttfb');
    expect(others).toEqual([]);
    expect(ttfb).toMatchObject({ count: 2, sum: 3.02 });
    expect(ttfb?.buckets.flatMap((count, bucket) => (count === 0 ? [] : [[bucket, count]]))).toEqual([
      [2, 1],
      [11, 1],
    ]);
    expect(ttfb?.buckets).toHaveLength((ttfb?.bounds.length ?? 0) + 1);
    expect(ttfb?.bounds.slice(2, 4)).toEqual([0.025, 0.05]);
    expect(ttfb?.attributes).toMatchObject({ 'url.template': '/users/{id}', 'http.response.status_code': 200 });
    expect(pointsOf(metrics, 'http.client.request.duration')).toHaveLength(2);
  });

  it("begin when counting did, or with the first of an old session's exchanges", () => {
    for (const [since, start] of [
      [500, 500],
      [null, 700],
    ] as const) {
      const metrics = new Metrics(RESOURCE, since);
      for (const startedAt of [800, 700, 900]) metrics.add({ ...row, startedAt });
      for (const name of ['http.client.request.duration', 'roundtrip.ttfb', 'roundtrip.overhead'])
        expect(pointsOf(metrics, name)).toMatchObject([{ start, at: 1000, count: 3 }]);
    }
  });

  it.each([
    ['https', 'api.test', 'api.test', 443],
    ['http', 'api.test', 'api.test', 80],
    ['http', 'api.test:8080', 'api.test', 8080],
    ['https', '[::1]:8443', '::1', 8443],
    ['http', '[::1]', '::1', 80],
  ] as const)('of %s://%s name its address and its port separately', (scheme, authority, address, port) => {
    const metrics = new Metrics(RESOURCE, 0);
    metrics.add({ ...row, scheme, authority });
    const [point] = pointsOf(metrics, 'http.client.request.duration');
    expect(point?.attributes).toMatchObject({ 'server.address': address, 'server.port': port });
  });

  it('count methods that the conventions do not list together', () => {
    const metrics = new Metrics(RESOURCE, 0);
    for (const method of ['FROB', 'BREW', 'GET']) metrics.add({ ...row, method });
    const points = pointsOf(metrics, 'http.client.request.duration');
    expect(points.map(({ count, attributes }) => [count, attributes['http.request.method']])).toEqual([
      [2, '_OTHER'],
      [1, 'GET'],
    ]);
  });

  it('have a bounded number of series', () => {
    const metrics = new Metrics(RESOURCE, 0);
    for (let host = 0; host < 2100; host += 1) metrics.add({ ...row, authority: `h${host}.test` });
    const points = pointsOf(metrics, 'http.client.request.duration');
    expect(points).toHaveLength(2001);
    expect(points.at(-1)).toMatchObject({ count: 100, attributes: { 'otel.metric.overflow': true } });
  });
});

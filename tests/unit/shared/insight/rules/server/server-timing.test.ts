import { describe, expect, it } from 'vitest';
import { serverTiming, serverTimings } from '../../../../../../shared/insight/rules/server/server-timing.ts';
import { exampleFact, foundBy } from '../../../../../support/example-fact.ts';

const response = (wait: number, value: string) => [
  exampleFact({ wait, path: '/a', response: { 'Server-Timing': value } }),
];

describe('server-timing', () => {
  it('reads metrics with durations, descriptions and quotes', () => {
    expect(serverTimings('miss, db;dur=53;desc="a, b", app;desc=x;dur="4.2"')).toEqual([
      { name: 'db', description: 'a, b', duration: 53 },
      { name: 'app', description: 'x', duration: 4.2 },
    ]);
  });

  it('reports the metric that takes most of a slow response', () => {
    const [finding] = foundBy(serverTiming, response(600, 'cache;dur=9, db;dur=300;desc="Queries"'));
    expect(finding?.title).toBe('The server reports that db (Queries) takes most of GET /a: 300 ms of 600 ms');
  });

  it.each([
    ['a fast response', response(599, 'db;dur=500')],
    ['a small part', response(600, 'db;dur=299')],
    ['a metric of the whole', response(600, 'total;dur=590')],
    ['a metric longer than the wait', response(600, 'db;dur=5000')],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(serverTiming, facts)).toEqual([]);
  });
});

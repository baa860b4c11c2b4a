import { describe, expect, it } from 'vitest';
import { h1Queueing } from '../../../../../../shared/insight/rules/connection/h1-queueing.ts';
import { exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

/** `rounds` times six requests, each taking `wait` ms, on six connections. */
function rounds(count: number, wait: number, protocol: 'h2' | 'http/1.1' = 'http/1.1') {
  return exampleFacts(count * 6, (index) => ({
    protocol,
    wait,
    client: index % 6,
    at: Math.floor(index / 6) * (wait + 2) + (index % 6),
  }));
}

describe('h1-queueing', () => {
  it('reports requests that waited for one of six connections', () => {
    const [finding] = foundBy(h1Queueing, rounds(4, 300));
    expect(finding?.exchanges).toHaveLength(18);
    expect(finding?.costMs).toBe(906);
  });

  it.each([
    ['a queue of less than half a second', rounds(2, 200)],
    ['HTTP/2', rounds(4, 300, 'h2')],
    [
      'a client with one connection',
      exampleFacts(20, (index) => ({ protocol: 'http/1.1', at: index * 101, wait: 100 })),
    ],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(h1Queueing, facts)).toEqual([]);
  });
});

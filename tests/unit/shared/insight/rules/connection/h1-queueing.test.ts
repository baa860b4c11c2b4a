import { describe, expect, it } from 'vitest';
import { h1Queueing } from '../../../../../../shared/insight/rules/connection/h1-queueing.ts';
import { type ExampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/150' };

/** `rounds` times six requests, each taking `wait` ms, on six connections; `pause` ms between two on a connection. */
function rounds(count: number, wait: number, { pause = 2, ...of }: ExampleFact & { pause?: number } = {}) {
  return exampleFacts(count * 6, (index) => ({
    protocol: 'http/1.1',
    wait,
    client: index % 6,
    at: Math.floor(index / 6) * (wait + pause) + (index % 6),
    request: BROWSER,
    ...of,
  }));
}

describe('h1-queueing', () => {
  it('reports requests that waited for one of six connections', () => {
    const [finding] = foundBy(h1Queueing, rounds(4, 300));
    expect(finding?.exchanges).toHaveLength(18);
    expect(finding?.costMs).toBe(906);
  });

  it('follows a browser whose machine takes a while between two requests', () => {
    const [finding] = foundBy(h1Queueing, rounds(4, 300, { pause: 59 }));
    expect(finding?.exchanges).toHaveLength(18);
    expect(foundBy(h1Queueing, rounds(4, 300, { pause: 61 }))).toEqual([]);
  });

  it.each([
    ['a queue of less than half a second', rounds(2, 200)],
    ['HTTP/2', rounds(4, 300, { protocol: 'h2' })],
    ['another program with six workers', rounds(4, 300, { request: { 'user-agent': 'curl/8' } })],
    [
      'a client with one connection',
      exampleFacts(20, (index) => ({ protocol: 'http/1.1', at: index * 101, wait: 100, request: BROWSER })),
    ],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(h1Queueing, facts)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { splitRequests } from '../../../../../../shared/insight/rules/connection/split-requests.ts';
import { type ExampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const posts = (of: ExampleFact = {}, count = 3) =>
  exampleFacts(count, (index) => ({
    at: index * 1000,
    protocol: 'http/1.1',
    method: 'POST',
    requestSize: 80,
    timings: { send: 41 },
    ...of,
  }));

describe('split-requests', () => {
  it('reports small bodies that came 40 ms after their heads', () => {
    expect(foundBy(splitRequests, posts())).toMatchObject([{ costMs: 123, confidence: 'medium' }]);
    expect(foundBy(splitRequests, posts({}, 10))[0]?.confidence).toBe('high');
  });

  it.each([
    ['two of them', posts({}, 2)],
    ['a body that took long for its size', posts({ requestSize: 100_000 })],
    ['other pauses', posts({ timings: { send: 70 } })],
    ['a client that waits for 100 Continue', posts({ request: { Expect: '100-continue' } })],
    ['bodies that the throttle held', posts({ timings: { send: 41, rulesSend: 40 } })],
    ['a client that turns Nagle on only for proxies', posts({ request: { 'user-agent': 'python-requests/2.32.3' } })],
    ['HTTP/2', posts({ protocol: 'h2' })],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(splitRequests, facts)).toEqual([]);
  });
});

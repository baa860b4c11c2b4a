import { describe, expect, it } from 'vitest';
import { repeatedPreflights } from '../../../../../../shared/insight/rules/server/repeated-preflights.ts';
import { type ExampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const ASKED = { Origin: 'https://a.test', 'Access-Control-Request-Method': 'PUT' };
const preflights = (count: number, every: number, of: ExampleFact = {}) =>
  exampleFacts(count, (index) => ({
    at: index * every,
    method: 'OPTIONS',
    path: '/x',
    status: 204,
    request: ASKED,
    ...of,
  }));

describe('repeated-preflights', () => {
  it('reports preflights that a longer lifetime would have saved', () => {
    const [finding] = foundBy(repeatedPreflights, preflights(3, 6000));
    expect(finding).toMatchObject({ requests: 2, costMs: 40 });
    expect(finding?.detail).toContain('Access-Control-Max-Age: none');
  });

  it('leaves out the opening of a connection that the request needs', () => {
    const facts = preflights(3, 6000, { timings: { dns: 10, connect: 50, ssl: 30 } });
    expect(foundBy(repeatedPreflights, facts)[0]?.costMs).toBe(40);
  });

  it('counts a lifetime of zero', () => {
    const facts = preflights(3, 100, { response: { 'Access-Control-Max-Age': '0' } });
    expect(foundBy(repeatedPreflights, facts)).toHaveLength(1);
  });

  it.each([
    ['one repetition', preflights(2, 6000)],
    ['a client that asks before the response expires', preflights(9, 4000)],
    ['more than two hours', preflights(9, 7_300_000)],
    ['different paths', preflights(9, 6000).map((fact, index) => ({ ...fact, path: `/${index}` }))],
    ['refusals', preflights(9, 6000, { status: 403 })],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(repeatedPreflights, facts)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { slowTtfb } from '../../../../../../shared/insight/rules/server/slow-ttfb.ts';
import { exampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const responses = (...waits: number[]) =>
  exampleFacts(waits.length, (index) => ({ path: `/users/${index}`, wait: waits[index] ?? 0 }));
/** Each requested 20 ms after the last one responded. */
function inTurn(waits: readonly number[], pathOf: (index: number) => string) {
  let at = 0;
  return waits.map((wait, index) => {
    const fact = exampleFact({ at, wait, path: pathOf(index) });
    // A client may be ahead of the end that is noted.
    at += wait + (index % 2 === 0 ? 20 : -3);
    return fact;
  });
}
const usual = (count: number, wait: number) => Array<number>(count).fill(wait);

describe('slow-ttfb', () => {
  it('reports a response that took far longer than its own kind', () => {
    const facts = responses(...usual(9, 100), 600);
    expect(foundBy(slowTtfb, facts)).toMatchObject([{ exchanges: [facts[9]?.id], costMs: 500 }]);
  });

  it('reports slow responses to different addresses, or to a fast one, although they were requested in turn', () => {
    expect(
      foundBy(
        slowTtfb,
        inTurn([...usual(10, 1200), 30_000], (at) => `/users/${at}`),
      ),
    ).toHaveLength(1);
    expect(
      foundBy(
        slowTtfb,
        inTurn([...usual(10, 900), 30_000], () => '/news'),
      ),
    ).toHaveLength(1);
  });

  it.each([
    ['too few of a kind', responses(...usual(8, 100), 600)],
    ['less than 600 ms', responses(...usual(9, 100), 599)],
    ['a kind that is slow as a whole', responses(...usual(9, 500), 1400)],
    ['long polls, of which two had no news', inTurn([...usual(10, 1200), 30_000, 30_000], (at) => `/news?after=${at}`)],
    ['many slow ones', responses(...usual(9, 100), 600, 600, 600)],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(slowTtfb, facts)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { slowTtfb } from '../../../../../../shared/insight/rules/server/slow-ttfb.ts';
import { exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const responses = (...waits: number[]) =>
  exampleFacts(waits.length, (index) => ({ path: `/users/${index}`, wait: waits[index] ?? 0 }));
const usual = (count: number, wait: number) => Array<number>(count).fill(wait);

describe('slow-ttfb', () => {
  it('reports a response that took far longer than its own kind', () => {
    const facts = responses(...usual(9, 100), 600);
    expect(foundBy(slowTtfb, facts)).toMatchObject([{ exchanges: [facts[9]?.id], costMs: 500 }]);
  });

  it.each([
    ['too few of a kind', responses(...usual(8, 100), 600)],
    ['less than 600 ms', responses(...usual(9, 100), 599)],
    ['a kind that is slow as a whole', responses(...usual(9, 500), 1400)],
    ['many slow ones', responses(...usual(9, 100), 600, 600, 600)],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(slowTtfb, facts)).toEqual([]);
  });
});

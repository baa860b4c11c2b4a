import { expect, it } from 'vitest';
import { retries } from '../../../../../../shared/insight/rules/connection/retries.ts';
import { exampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

it('reports three retried requests, or two hundred lost milliseconds, with the reasons', () => {
  const retried = { retries: ['connecting-failed'], timings: { failedTries: 20 } };
  expect(
    foundBy(
      retries,
      exampleFacts(3, (index) => ({ ...retried, at: index * 1000 })),
    ),
  ).toMatchObject([{ costMs: 60, detail: 'Retried 3 times: connecting failed, and nothing had been sent.' }]);
  expect(foundBy(retries, [exampleFact({ ...retried, timings: { failedTries: 200 } })])).toHaveLength(1);
});

it('is silent about one short retry', () => {
  expect(foundBy(retries, [exampleFact({ retries: ['connecting-failed'], timings: { failedTries: 20 } })])).toEqual([]);
});

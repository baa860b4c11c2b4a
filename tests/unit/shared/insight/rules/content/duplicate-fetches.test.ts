import { describe, expect, it } from 'vitest';
import { duplicateFetches } from '../../../../../../shared/insight/rules/content/duplicate-fetches.ts';
import { type ExampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const copies = (count: number, of: ExampleFact = {}, every = 100) =>
  exampleFacts(count, (index) => ({ path: '/list', size: 500, at: index * every, ...of }));

describe('duplicate-fetches', () => {
  it('reports an answer that was fetched three times, or twice if it is large', () => {
    expect(foundBy(duplicateFetches, copies(3))).toMatchObject([{ bytes: 1000, requests: 2 }]);
    expect(foundBy(duplicateFetches, copies(2, { size: 10 * 1024 }))).toHaveLength(1);
  });

  it.each([
    ['two small copies', copies(2)],
    ['polling', copies(20, {}, 1021)],
    ['conditional requests', copies(9, { request: { 'If-None-Match': '"a"' } })],
    ['other methods', copies(9, { method: 'POST' })],
    ['different users', copies(2, { size: 99_999 }).map((fact, index) => ({ ...fact, identity: index }))],
    ['answers that changed', copies(9).map((fact, index) => ({ ...fact, responseSize: 500 + index }))],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(duplicateFetches, facts)).toEqual([]);
  });
});

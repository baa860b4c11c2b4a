import { describe, expect, it } from 'vitest';
import { duplicateFetches } from '../../../../../../shared/insight/rules/content/duplicate-fetches.ts';
import { type ExampleFact, exampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const copies = (count: number, of: ExampleFact = {}, every = 100) =>
  exampleFacts(count, (index) => ({ path: '/list', size: 500, at: index * every, ...of }));

describe('duplicate-fetches', () => {
  it('reports a response that was fetched three times, or twice if it is large', () => {
    const tagged = copies(3, { response: { ETag: '"a"' } });
    expect(foundBy(duplicateFetches, tagged)).toMatchObject([
      {
        bytes: 1000,
        requests: 2,
        confidence: 'high',
        title: expect.stringContaining('3 times with the same response'),
      },
    ]);
    expect(foundBy(duplicateFetches, copies(3, { size: 1400 }))).toMatchObject([
      { confidence: 'medium', title: '/list was fetched 3 times with responses of the same size: 2.7 KB wasted' },
    ]);
    expect(foundBy(duplicateFetches, copies(2, { size: 10 * 1024 }))).toHaveLength(1);
  });

  it('counts the time of copies after the first response', () => {
    const of = { response: { ETag: '"a"' }, wait: 30 };
    expect(foundBy(duplicateFetches, copies(3, of))).toMatchObject([{ costMs: 60 }]);
    expect(foundBy(duplicateFetches, copies(3, of, 10))).toMatchObject([{ costMs: 20 }]);
    expect(foundBy(duplicateFetches, copies(3, of, 0))).toMatchObject([{ costMs: 0 }]);
  });

  it('tells a page that was loaded again from copies within a load', () => {
    const origin = 'https://shop.test';
    const visit = (at: number, of: number) => [
      exampleFact({ at, origin, path: '/', dest: 'document' }),
      ...exampleFacts(of, (index) => ({
        ...{ at: at + 30 + index, origin, path: '/logo', dest: 'image', size: 20_000 },
        request: { Referer: `${origin}/` },
      })),
    ];
    expect(foundBy(duplicateFetches, [...visit(0, 1), ...visit(400, 1)])).toEqual([]);
    expect(foundBy(duplicateFetches, [...visit(0, 2), ...visit(400, 1)])).toMatchObject([{ requests: 1 }]);
  });

  it.each([
    ['two small copies', copies(2, { response: { ETag: '"a"' } })],
    ['short responses of one size, which may differ', copies(12, { size: 1399 })],
    [
      'a tag that changed',
      [...copies(1, { response: { ETag: '"a"' } }), ...copies(9, { response: { ETag: '"b"' } })].slice(0, 2),
    ],
    ['polling', copies(20, { size: 1400 }, 1021)],
    ['fast polling', copies(20, { size: 1400 }, 120)],
    ['conditional requests', copies(9, { size: 1400, request: { 'If-None-Match': '"a"' } })],
    ['other methods', copies(9, { size: 1400, method: 'POST' })],
    ['different users', copies(2, { size: 99_999 }).map((fact, index) => ({ ...fact, identity: index }))],
    ['responses that changed', copies(9).map((fact, index) => ({ ...fact, responseSize: 1500 + index }))],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(duplicateFetches, facts)).toEqual([]);
  });
});

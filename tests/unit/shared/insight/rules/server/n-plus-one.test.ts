import { describe, expect, it } from 'vitest';
import { nPlusOne } from '../../../../../../shared/insight/rules/server/n-plus-one.ts';
import { type ExampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const items = (count: number, apart: number, of: ExampleFact = {}) =>
  exampleFacts(count, (index) => ({ at: index * apart, wait: 60, path: `/items/${index + 1}`, dest: 'empty', ...of }));

const queried = (count: number, apart: number, wait: number) =>
  exampleFacts(count, (index) => ({ at: index * apart, wait, path: `/items?after=${index}`, dest: 'empty' }));

describe('n-plus-one', () => {
  it('reports items that were fetched one by one, at once or in a loop', () => {
    expect(foundBy(nPlusOne, items(5, 14))).toMatchObject([{ where: 'https://api.test', requests: 4, costMs: 56 }]);
    expect(foundBy(nPlusOne, items(5, 62))[0]).toMatchObject({ costMs: 248 });
  });

  it('reports items that a busy browser sends one by one while others are open', () => {
    expect(foundBy(nPlusOne, items(12, 35, { wait: 60 }))).toMatchObject([{ requests: 11 }]);
  });

  it('says that the saving is unknown if they ran at the same time', () => {
    expect(foundBy(nPlusOne, items(6, 0, { wait: 519 }))).toMatchObject([
      {
        detail: 'They ran at the same time: how much time one request would save is unknown.',
        ...{ requests: 5, costMs: null, criticalMs: null, severity: 'medium' },
      },
    ]);
  });

  it('reports items that differ in their query, if they were asked for together', () => {
    const at = (index: number) => ({ path: `/items?id=${index}`, at: index * 3 });
    expect(
      foundBy(
        nPlusOne,
        exampleFacts(6, (index) => ({ wait: 60, dest: 'empty', ...at(index) })),
      ),
    ).toHaveLength(1);
  });

  it('leaves out a search of the same collection at the same time', () => {
    const search = { path: '/items?limit=6&sort=popular' };
    const at = (index: number) => ({ at: index, wait: 60, dest: 'empty', path: `/items?page=${index}` });
    const facts = exampleFacts(7, (index) => ({ ...at(index), ...(index === 3 && search) }));
    expect(foundBy(nPlusOne, facts)).toMatchObject([{ requests: 5 }]);
  });

  it('reports one finding for a page that fetches them at each visit', () => {
    const visits = [0, 1, 2].flatMap((visit) =>
      exampleFacts(6, (index) => ({ at: visit * 9000 + index, wait: 60, path: `/items/${index + 1}`, dest: 'empty' })),
    );
    expect(foundBy(nPlusOne, visits)).toMatchObject([
      {
        title: '18 requests for /items/{id} could be 3: they were under way for 195 ms',
        ...{ requests: 15, costMs: 15, severity: 'medium' },
      },
    ]);
  });

  it.each([
    ['long polls with a cursor', queried(9, 1010, 1000)],
    ['polls that start as others end', queried(20, 1000, 3000)],
    ['pages with a cursor', queried(9, 61, 60)],
    ['media in segments', items(9, 62, { response: { 'Content-Type': 'video/mp4' } })],
    ['tiles of a map', items(9, 1, { response: { 'Content-Type': 'application/vnd.mapbox-vector-tile' } })],
    ['scripts that a worker stores', items(9, 1, { response: { 'Content-Type': 'text/javascript' } })],
    ['four items', items(4, 1, { wait: 500 })],
    ['pauses', items(9, 200)],
    ['what somebody opens one after the other', items(9, 120, { wait: 500 })],
    ['little time', items(5, 1, { wait: 59 })],
    ['one address', items(9, 1, { path: '/items/1' })],
    ['images', items(9, 1, { dest: 'image' })],
    ['prefetches', items(9, 1, { request: { 'Sec-Purpose': 'prefetch' } })],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(nPlusOne, facts)).toEqual([]);
  });
});

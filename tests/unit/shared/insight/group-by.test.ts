import { describe, expect, it } from 'vitest';
import { groupBy, groupsOf, kindsOf, mayRepeat } from '../../../../shared/insight/group-by.ts';
import { shared } from '../../../../shared/insight/shared-text.ts';
import { exampleFact } from '../../../support/example-fact.ts';

describe('groups of facts', () => {
  it('keeps the order of the first members', () => {
    expect([...groupBy([3, 1, 4, 5], (item) => item % 2)]).toEqual([
      [1, [3, 1, 5]],
      [0, [4]],
    ]);
  });

  it('groups members that agree in every key', () => {
    const items = ['ab', 'ac', 'b', 'ad', 'abc'];
    const groups = groupsOf(
      items,
      (item) => item[0],
      (item) => item.length,
    );
    expect(groups).toEqual([['ab', 'ac', 'ad'], ['abc'], ['b']]);
    expect(groupsOf([], (item) => item)).toEqual([]);
  });

  it('groups by method, origin and template', () => {
    const facts = [
      exampleFact({ path: '/users/1' }),
      exampleFact({ path: '/users/2', method: 'POST' }),
      exampleFact({ path: '/users/3' }),
      exampleFact({ path: '/users/4', origin: 'https://other.test' }),
    ];
    expect(kindsOf(facts).map((of) => of.length)).toEqual([2, 1, 1]);
    expect(kindsOf(facts, ({ path }) => path)).toHaveLength(4);
  });
});

describe('shared texts', () => {
  it('are equal to what was given, however long', () => {
    for (const text of ['', 'a', 'x'.repeat(10_000)]) expect(shared(text)).toBe(text);
  });
});

it('finds each item whose text another one has', () => {
  const items = Array.from({ length: 50_000 }, (_, index) => `/items/${index}`);
  const twice = [...items, '/items/7', '/items/49999'];
  const found = mayRepeat(twice, (text) => text);
  expect(found.filter((text) => text === '/items/7' || text === '/items/49999')).toHaveLength(4);
  expect(found.length).toBeLessThan(5000);
});

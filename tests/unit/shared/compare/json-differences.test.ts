import { expect, it } from 'vitest';
import { jsonDifferences } from '../../../../shared/compare/json-differences.ts';

it('names each value that differs by its path, in any order of members', () => {
  const before = { name: 'tea', price: 3, tags: ['a', 'b'], 'two words': { deep: null }, gone: [1] };
  const after = { price: 4, name: 'tea', tags: ['a', 'c', 'd'], 'two words': { deep: {} }, new: true };
  expect(jsonDifferences(before, after, 100)).toEqual([
    { path: '$.price', before: 3, after: 4 },
    { path: '$.tags[1]', before: 'b', after: 'c' },
    { path: '$.tags[2]', before: undefined, after: 'd' },
    { path: '$["two words"].deep', before: null, after: {} },
    { path: '$.gone', before: [1], after: undefined },
    { path: '$.new', before: undefined, after: true },
  ]);
});

it('finds nothing in equal documents, and stops at the limit', () => {
  expect(jsonDifferences({ a: [{ b: 1 }] }, { a: [{ b: 1 }] }, 10)).toEqual([]);
  expect(jsonDifferences([1, 2, 3], [4, 5, 6], 2)).toHaveLength(2);
});

it('compares documents that are nested deeply', () => {
  const nested = (value: number) => JSON.parse(`${'['.repeat(20_000)}${value}${']'.repeat(20_000)}`);
  expect(jsonDifferences(nested(1), nested(2), 10)).toMatchObject([{ before: 1, after: 2 }]);
});

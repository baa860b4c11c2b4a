import { expect, it } from 'vitest';
import { jsonDifferences } from '../../../../shared/compare/json-differences.ts';
import { parseExactly } from '../../../../shared/format/exact-json.ts';

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

it('items that two lists begin and end with do not differ', () => {
  const items = [{ id: 1 }, { id: 2, deep: [{ a: 'x' }] }, { id: 3 }];
  const at = (after: unknown) => jsonDifferences({ items }, { items: after }, 10).map(({ path }) => path);
  expect(at([{ id: 0 }, ...items])).toEqual(['$.items[0]']);
  expect(at(items.slice(1))).toEqual(['$.items[0]']);
  expect(at([items[0], { id: 2, deep: [] }, { id: 9 }, items[2]])).toEqual(['$.items[1].deep[0]', '$.items[2]']);
  expect(at([...items, { id: 4 }])).toEqual(['$.items[3]']);
});

it('numbers of many digits differ, however alike they are to JavaScript', () => {
  const differences = (before: string, after: string) => jsonDifferences(parseExactly(before), parseExactly(after), 10);
  const found = differences('{"id":12345678901234567890}', '{"id":12345678901234567891}');
  expect(found.map(({ path, before }) => [path, JSON.stringify(before)])).toEqual([['$.id', '12345678901234567890']]);
  expect(differences('[9007199254740993, 1.0, 1e3]', '[9007199254740993, 1, 1000]')).toEqual([]);
});

import { expect, test } from 'vitest';
import { diffLines } from '../../../../shared/compare/diff-lines.ts';

const SIGNS = { same: ' ', removed: '-', added: '+' };
const diff = (before: string, after: string) =>
  diffLines([...before], [...after])
    .map(({ kind, text }) => SIGNS[kind] + text)
    .join('');

test.each([
  ['', '', ''],
  ['abc', 'abc', ' a b c'],
  ['', 'ab', '+a+b'],
  ['ab', '', '-a-b'],
  ['abc', 'axc', ' a-b+x c'],
  ['abcd', 'bcde', '-a b c d+e'],
  ['aab', 'ab', ' a-a b'],
])('%j and %j', (before, after, wanted) => {
  expect(diff(before, after)).toBe(wanted);
});

test('each line has its own id', () => {
  const lines = diffLines(['a', 'a', 'b'], ['a', 'c', 'c']);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});

test('texts that have little in common are not compared line by line', () => {
  const numbered = (from: number) => Array.from({ length: 3000 }, (_, at) => String(from + at));
  const lines = diffLines(['same', ...numbered(0)], ['same', ...numbered(10_000)]);
  expect(lines.slice(0, 2).map(({ kind, text }) => [kind, text])).toEqual([
    ['same', 'same'],
    ['removed', '0'],
  ]);
  expect(lines).toHaveLength(6001);
});

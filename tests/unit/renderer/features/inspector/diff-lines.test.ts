import { expect, test } from 'vitest';
import { diffLines } from '../../../../../renderer/features/inspector/diff-lines.ts';

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

test('each line has an id of its own', () => {
  const lines = diffLines(['a', 'a', 'b'], ['a', 'c', 'c']);
  expect(new Set(lines.map(({ id }) => id)).size).toBe(lines.length);
});

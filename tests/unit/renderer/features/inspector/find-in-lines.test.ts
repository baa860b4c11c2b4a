import { expect, test } from 'vitest';
import { textLines } from '../../../../../renderer/features/inspector/body/text-lines.ts';
import { findInLines } from '../../../../../renderer/features/inspector/find-in-lines.ts';

test('finds text in any case, and treats no character of it as a pattern', () => {
  const found = findInLines(textLines('one a.b\nA.B and a-b\n\na.b'), 'a.B');
  expect(found.places).toEqual([0, 1, 3]);
  expect(found.marks.get(1)).toEqual([{ start: 0, end: 3, match: 1 }]);
  expect(found.marks.get(2)).toBeUndefined();
});

test('counts matches of one line one after another', () => {
  expect(findInLines(textLines('aaaa'), 'aa').marks.get(0)).toEqual([
    { start: 0, end: 2, match: 0 },
    { start: 2, end: 4, match: 1 },
  ]);
});

test('finds matches across the pieces of a long line', () => {
  const lines = textLines(`${'x'.repeat(1998)}needle${'x'.repeat(3000)}needle\nneedle`);
  const found = findInLines(lines, 'needle');
  expect(found.places).toEqual([0, 2, 3]);
  expect(found.marks.get(0)).toEqual([{ start: 1998, end: 2000, match: 0 }]);
  expect(found.marks.get(1)).toEqual([{ start: 0, end: 4, match: 0 }]);
});

test('finds nothing for an empty text, and reports where it stopped counting', () => {
  expect(findInLines(textLines('abc'), '')).toMatchObject({ places: [], cut: false });
  const many = findInLines(textLines('ab'.repeat(20_000)), 'a');
  expect(many).toMatchObject({ cut: true });
  expect(many.places).toHaveLength(10_000);
});

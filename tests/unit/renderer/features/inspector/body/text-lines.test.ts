import { expect, test } from 'vitest';
import { textLines } from '../../../../../../renderer/features/inspector/body/text-lines.ts';

test('lines have numbers, with any line ending', () => {
  expect(textLines('a\r\n\nb')).toEqual([
    { number: 1, text: 'a' },
    { number: 2, text: '' },
    { number: 3, text: 'b' },
  ]);
});

test('a long line is split into pieces, never within a character', () => {
  const long = `${'x'.repeat(1999)}${'\u{1f600}'.repeat(3000)}`;
  const lines = textLines(`${long}\nend`);
  expect(lines.filter(({ number }) => number > 0).map(({ number }) => number)).toEqual([1, 2]);
  expect(
    lines
      .slice(0, -1)
      .map(({ text }) => text)
      .join(''),
  ).toBe(long);
  for (const { text } of lines) expect(text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/);
});

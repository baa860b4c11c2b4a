import { expect, test } from 'vitest';
import { textOf } from '../../../../../../renderer/features/inspector/body/read-body.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

test('text keeps its line breaks, tabs and terminal colours', () => {
  const text = 'a\tb\r\n\u001b[31mé\u001b[0m\n';
  expect(textOf(utf8(text))).toBe(text);
});

test('bytes of control characters are not text, although they are UTF-8', () => {
  expect(textOf(new Uint8Array(64).fill(7))).toBeNull();
  expect(textOf(utf8('GIF\u0000'))).toBeNull();
});

test('a character cut at the end of a range does not make it binary', () => {
  expect(textOf(utf8('caf\u00e9').subarray(0, 4))).toBe('caf');
});

import { expect, it } from 'vitest';
import { TextFinder } from '../../../../../electron/session/search/text-finder.ts';

function finds(wanted: string, ...pieces: string[]): boolean {
  const finder = new TextFinder(wanted);
  return pieces.some((piece) => finder.push(Buffer.from(piece)));
}

it.each([
  ['token', ['a TOKEN here'], true],
  ['token', ['tok', 'en'], true],
  ['token', ['t', 'o', 'k', 'e', 'n'], true],
  ['token', ['tok', 'tok'], false],
  ['a*c', ['xa', 'bbb', 'Cx'], true],
  ['a*c', ['c a'], false],
  ['aa*aa', ['aaa'], false],
  ['größe', ['die GRÖSSE, die Größe'], true],
  ['é', ['Ã©'], false],
  ['*x*', ['abc'], false],
])('looks for %j in %j: %s', (wanted, pieces, found) => {
  expect(finds(wanted, ...pieces)).toBe(found);
});

it('finds a character whose bytes came in two pieces', () => {
  const bytes = Buffer.from('größe');
  const finder = new TextFinder('ß');
  expect([finder.push(bytes.subarray(0, 5)), finder.push(bytes.subarray(5))]).toEqual([false, true]);
});

import { expect, it } from 'vitest';
import { TextFinder, WantedText } from '../../../../../electron/session/search/text-finder.ts';

function finds(wanted: string, ...pieces: string[]): boolean {
  const finder = new TextFinder(new WantedText(wanted));
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
  ['a.c', ['abc'], false],
  ['[\\d]+(x)?{$^|/-', ['one [\\D]+(X)?{$^|/- more'], true],
  ['k', ['\u212a'], false],
])('looks for %j in %j: %s', (wanted, pieces, found) => {
  expect(finds(wanted, ...pieces)).toBe(found);
});

it('finds a character whose bytes came in two pieces', () => {
  const bytes = Buffer.from('größe');
  const finder = new TextFinder(new WantedText('ß'));
  expect([finder.push(bytes.subarray(0, 5)), finder.push(bytes.subarray(5))]).toEqual([false, true]);
});

it('serves any number of bodies with one prepared text', () => {
  const wanted = new WantedText('one*two');
  const found = ['one two', 'two one', 'one', 'ONE and TWO'].map((text) =>
    new TextFinder(wanted).push(Buffer.from(text)),
  );
  expect(found).toEqual([true, false, false, true]);
});

import { expect, test } from 'vitest';
import { FieldFinder } from '../../../../../../electron/engine/rules/index/field-finder.ts';
import { compile } from '../../../../../../shared/filter/compile.ts';
import { parseRuleQuery } from '../../../../../../shared/filter/rule-query.ts';
import { summaryNow } from '../../../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../../../support/example-exchange.ts';

const TEXTS = ['x-debug', 'x-debug: 1', 'age: 0', 'debug', 'é', 'gzip, br', ': a', 'et'].filter(
  ({ length }) => length > 1,
);

function foundBy(field: 'fields' | 'cookies', texts: readonly string[], fields: string[][]): string[] {
  const found = new Set<string>();
  new FieldFinder(texts, field).find(fields, (index) => found.add(texts[index] ?? ''));
  return texts.filter((text) => found.has(text));
}

function foundIn(texts: readonly string[], ...fields: string[][]): string[] {
  return foundBy('fields', texts, fields);
}

test.each([
  [[], []],
  [
    ['X-Debug', '1'],
    ['x-debug', 'x-debug: 1', 'debug'],
  ],
  [
    ['X-Debug', '2', 'Cache-Control', 'max-age: 0'],
    ['x-debug', 'age: 0', 'debug'],
  ],
  [
    ['Accept-Encoding', 'GZIP, BR', 'B', 'A'],
    ['gzip, br', ': a'],
  ],
  [['ETag', ''], ['et']],
  [['A', ''], []],
])('finds texts in names, values and across both: %j', (list, expected) => {
  expect(foundIn(TEXTS, list)).toEqual(expected);
});

test('finds a text in either list, however it is written', () => {
  expect(foundIn(['grün', 'ÿx'], ['A', 'GRÜN'], ['B', 'ÿX'])).toEqual(['grün', 'ÿx']);
});

test.each([
  [['Cookie', 'session=1; THEME=dark'], ['theme']],
  [['A', 'b', 'SET-COOKIE', 'theme=dark'], ['theme']],
  [['Referer', 'theme=dark', 'Server', 'theme', 'Set-Cookies', 'theme'], []],
])('finds texts of cookies only in the fields that have cookies: %j', (list, expected) => {
  expect(foundBy('cookies', ['theme', 'none'], [list])).toEqual(expected);
});

test('remembers what it found in a list, and forgets old lists', () => {
  const finder = new FieldFinder(['x-rare'], 'fields');
  const lists = Array.from({ length: 300 }, (_, at) => ['Name', 'value', at % 2 === 0 ? 'X-Rare' : 'X-Other', '1']);
  for (let round = 0; round < 2; round += 1)
    for (const [at, list] of lists.entries()) {
      const found: number[] = [];
      finder.find([list], (index) => found.push(index));
      expect([at, found]).toEqual([at, at % 2 === 0 ? [0] : []]);
    }
});

/** Letters that make partial matches likely. */
const LETTERS = 'aAbB:- ';
function randomText(random: () => number, longest: number): string {
  const length = Math.floor(random() * (longest + 1));
  return Array.from({ length }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join('');
}

test('agrees with a search of each line, for random lines and texts', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  for (let round = 0; round < 2000; round += 1) {
    const made = Array.from({ length: 5 }, () => randomText(random, 6).toLowerCase());
    const texts = [...new Set(made.filter(({ length }) => length > 1))];
    if (texts.length === 0) continue;
    const [name, value] = [randomText(random, 8).replaceAll(/[: ]/g, 'a'), randomText(random, 20)];
    const line = `${name}: ${value}`.toLowerCase();
    expect([texts, line, foundIn(texts, [name, value])]).toEqual([
      ...[texts, line],
      texts.filter((text) => line.includes(text)),
    ]);
  }
});

test.each([
  ['header:x-debug', true],
  ['header:"x-debug: on"', true],
  ['header:X-DEB*on', true],
  ['header:x-debug:on', false],
  ['cookie:session=1', true],
  ['cookie:session', true],
  ['cookie:theme=d*k', true],
  ['cookie:session=2', false],
  ['-header:x-other', true],
])('every line that matches %s has the text that it is found by', (text, expected) => {
  const headers = ['X-Debug', 'on', 'Cookie', 'session = 1; theme=Dark'];
  const parsed = parseRuleQuery(text);
  if (!parsed.ok) throw new Error(parsed.problem.message);
  const row = summaryNow(exampleExchange({ request: { headers } }));
  expect(compile(parsed.query)(row, [headers])).toBe(expected);
  if (!expected || parsed.query.kind !== 'content') return;
  const { requires } = parsed.query;
  const field = text.startsWith('cookie:') ? 'cookies' : 'fields';
  expect(requires?.field).toBe(field);
  expect(foundBy(field, requires?.anyOf ?? [], [headers])).toEqual(requires?.anyOf);
});

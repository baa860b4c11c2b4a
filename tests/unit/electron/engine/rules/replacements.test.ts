import { describe, expect, it } from 'vitest';
import { replaced as replacedUpTo } from '../../../../../electron/engine/rules/replacements.ts';
import type { Replacement } from '../../../../../shared/model/rule/actions.ts';

const MIB = 1024 * 1024;
const replaced = (text: string, list: Replacement[]) => replacedUpTo(text, list, MIB);

const replacement = (given: Partial<Replacement> & { find: string }): Replacement => ({
  ...{ with: 'x', regex: false, ignoreCase: false },
  ...given,
});

it('replaces text and regular expressions, one after the other', () => {
  const list = [
    replacement({ find: 'a.b', with: '$&' }),
    replacement({ find: '(\\w)=(\\w)', with: '$2=$1', regex: true }),
    replacement({ find: '[END]', ignoreCase: true }),
  ];
  expect(replaced('a.b a=b [end] a.b', list)).toBe('$& b=a x $&');
});

describe('a regular expression that backtracks', () => {
  const EVIL = '^(a+)+$';
  const text = (length: number) => `${'a'.repeat(length - 1)}!`;

  it('is not tried again on texts of half the length, and still applies to shorter ones', () => {
    const evil = replacement({ find: EVIL, regex: true });
    expect(() => replaced(text(60), [evil])).toThrow('ran for more than 1 s on a text of 60 characters');
    for (const length of [30, 59, 61])
      expect(() => replaced(text(length), [evil])).toThrow('takes too long on texts of 30 characters or more');
    expect(replaced('aaaa', [evil])).toBe('x');
  });

  it('leaves the others of its rule, and the same one of newly loaded rules, alone', () => {
    const evil = () => replacement({ find: EVIL, regex: true });
    expect(() => replaced(text(60), [evil()])).toThrow('ran for more than');
    expect(replaced('a'.repeat(60), [evil()])).toBe('x');
  });
});

describe('a result that would be too large', () => {
  it.each([
    ['all that follows each match', { find: 'a', with: "$'", regex: true }],
    ['all that precedes each match', { find: 'a', with: '$`', regex: true }],
    ['a long text', { find: 'a', with: 'b'.repeat(2000) }],
    ['a long text, for upper case too', { find: 'a', with: 'b'.repeat(2000), ignoreCase: true }],
    ['groups', { find: '(?=(.*))', with: '$1', regex: true }],
    ['a named group', { find: '(?=(?<rest>.*))', with: '$<rest>', regex: true }],
  ])('is refused: %s', (_what, given) => {
    expect(() => replaced('a'.repeat(2000), [replacement(given)])).toThrow('the result would be larger than 1 MB');
  });

  it('is refused when it grows step by step', () => {
    const twice = replacement({ find: '^.*$', with: '$&$&', regex: true });
    expect(() => replaced('a', Array(100).fill(twice))).toThrow('the result would be larger than 1 MB');
    expect(replaced('a', Array(20).fill(twice))).toHaveLength(MIB);
  });
});

it('reads each sign in a replacement text as JavaScript does', () => {
  const signs = [
    '$$',
    '$&',
    '$`',
    "$'",
    '$0',
    '$1',
    '$01',
    '$2',
    '$3',
    '$10',
    '$11',
    '$00',
    '$<n>',
    '$<m>',
    '$<n',
    '$',
  ];
  const templates = signs.flatMap((one) => signs.map((other) => `<${one}${other}0>`));
  for (const find of ['b', '(b)(x)?', '(?<n>b)|(?<m>c)', '(b)(c)?()()()()()()()()', '', 'q'])
    for (const by of templates) {
      const expected = 'abcb'.replace(new RegExp(find, 'gu'), by);
      expect(replaced('abcb', [replacement({ find, with: by, regex: true })]), `${find} ${by}`).toBe(expected);
      expect(replaced('abcb', [replacement({ find: 'b', with: by })])).toBe('abcb'.replaceAll('b', () => by));
    }
});

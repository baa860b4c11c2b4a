import { describe, expect, it } from 'vitest';
import { replaced } from '../../../../../electron/engine/rules/replacements.ts';
import type { Replacement } from '../../../../../shared/model/rule/actions.ts';

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

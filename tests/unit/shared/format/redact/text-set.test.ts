import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TextSet } from '../../../../../shared/format/redact/text-set.ts';

const letters = fc.stringMatching(/^[abc]{3,8}$/);

/** What the search must find, tried at each place. */
function replacedSlowly(text: string, texts: readonly string[]): string {
  const longest = [...texts].sort((a, b) => b.length - a.length);
  let result = '';
  for (let at = 0; at < text.length; ) {
    const found = longest.find((each) => text.startsWith(each, at));
    result += found === undefined ? text[at] : '#';
    at += found?.length ?? 1;
  }
  return result;
}

test('finds what a search at each place finds', () => {
  fc.assert(
    fc.property(fc.array(letters, { maxLength: 6 }), fc.stringMatching(/^[abcd]{0,60}$/), (texts, text) => {
      expect(new TextSet(texts, 3).replace(text, () => '#')).toBe(replacedSlowly(text, texts));
    }),
    { numRuns: 500 },
  );
});

import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { printfFormat, shellQuote, shellQuoteBytes } from '../../../../../shared/format/commands/shell-quote.ts';
import { hasProgram } from '../../../../support/has-program.ts';

const TEXTS = [
  'plain',
  '',
  "it's",
  '$(touch /tmp/x) `id` $HOME !! \\ "',
  'two\nlines\tand a tab',
  "escape \u001b[31m, bell \u0007, and 'quotes' \\n !1",
  'a digit behind a control character: \u00011, \u001bf',
  'C1 control characters: \u0080 \u0085 \u009b31m \u009f',
  'carriage return \r\n and delete \u007f',
  'hidden: \ufeff \u202e \u200b \u2028',
  'ünïcode 🎉 👩\u200d💻',
];

const SHELLS = ['bash', 'zsh'].filter((shell) => hasProgram(shell, '-c', 'true'));
/** In a locale without UTF-8, escapes represent the same bytes. */
const LOCALES = ['C.UTF-8', 'C'];

function run(shell: string, script: string, locale: string): Buffer {
  return execFileSync(shell, ['-c', script], { env: { PATH: process.env.PATH, LC_ALL: locale } });
}

describe.each(SHELLS)('%s', (shell) => {
  describe.each(LOCALES)('with %s', (locale) => {
    test.each(TEXTS)('takes a text as one word and nothing else: %j', (text) => {
      expect(run(shell, `printf %s ${shellQuote(text)}`, locale)).toEqual(Buffer.from(text));
    });

    test('takes every byte', () => {
      const bytes = Buffer.from(Array.from({ length: 255 }, (_, index) => index + 1));
      const word = shellQuoteBytes(bytes.toString('latin1'));
      expect(run(shell, `printf %s ${word}`, locale)).toEqual(bytes);
      expect(word).toMatch(/^[\t\n -~]+$/);
    });

    test.each([...TEXTS, 'NUL \u0000 and 100 %s \u00007 %%'])('prints by a format: %j', (text) => {
      expect(run(shell, `printf ${printfFormat(text)}`, locale)).toEqual(Buffer.from(text));
    });
  });
});

test('what harms a terminal or is invisible is escaped', () => {
  expect(shellQuote('a\u009bb')).toBe("$'a\\302\\233b'");
  expect(shellQuote('\u202e')).toBe("$'\\342\\200\\256'");
  expect(shellQuote('café')).toBe("'café'");
});

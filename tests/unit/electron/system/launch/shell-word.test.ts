import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { shellWord } from '../../../../../electron/system/launch/shell-word.ts';

describe('shellWord', () => {
  it.each(['/usr/bin/node', '/opt/Some App/app', "/it's/$HOME/`x`/\\", '/a&b;c'])(
    'is read back as %s by a shell',
    (text) => {
      const said = execFileSync('/bin/sh', ['-c', `printf %s ${shellWord(text, 'linux')}`]).toString();
      expect(said).toBe(text);
    },
  );

  it('leaves a plain path as it is', () => {
    expect(shellWord('/usr/bin/node', 'linux')).toBe('/usr/bin/node');
  });

  it.each([
    ['C:\\Program Files\\App\\app.exe', '"C:\\Program Files\\App\\app.exe"'],
    ['C:\\a&b.exe', '"C:\\a&b.exe"'],
  ])('quotes %s as cmd.exe wants it', (text, word) => {
    expect(shellWord(text, 'win32')).toBe(word);
  });
});

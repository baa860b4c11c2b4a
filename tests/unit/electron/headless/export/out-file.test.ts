import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { BadArguments } from '../../../../../electron/headless/bad-arguments.ts';
import { parseCommandLine } from '../../../../../electron/headless/options.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** A session file, and other names of it. */
function names(): { session: string; same: string[]; other: string } {
  const folder = temporaryFolder();
  const session = path.join(folder, 's.roundtrip');
  fs.writeFileSync(session, 'recorded');
  fs.symlinkSync(session, path.join(folder, 'link'));
  fs.linkSync(session, path.join(folder, 'hard'));
  const same = [session, path.join(folder, '.', 's.roundtrip'), path.join(folder, 'link'), path.join(folder, 'hard')];
  return { session, same, other: path.join(folder, 'other') };
}

it.each(['csv', 'roundtrip', 'parquet'])('an export as %s does not replace its source', (format) => {
  const { session, same, other } = names();
  const parse = (out: string) => parseCommandLine(['export', session, '--format', format, '--out', out]);
  for (const out of same) {
    expect(() => parse(out)).toThrow(BadArguments);
    expect(() => parse(out)).toThrow(`--out would replace ${session}, which is exported: name another file`);
  }
  expect(parse(other)).toMatchObject({ out: other });
  fs.writeFileSync(other, 'of an earlier export');
  expect(parse(other)).toMatchObject({ out: other });
});

it('a pipe may be the source and the target', () => {
  expect(parseCommandLine(['export', '/dev/stdin', '--format', 'csv', '--out', '/dev/stdout'])).toMatchObject({
    out: '/dev/stdout',
  });
});

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { checkHarPlace } from '../../../../electron/headless/write-har.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

function folder(): string {
  const made = fs.realpathSync(temporaryFolder());
  fs.mkdirSync(path.join(made, 'real'));
  fs.writeFileSync(path.join(made, 'real/s.roundtrip'), '');
  fs.symlinkSync('real', path.join(made, 'folder'));
  fs.symlinkSync('real/s.roundtrip', path.join(made, 'file'));
  return made;
}

it.each([
  ['real/s.roundtrip', 'real/s.roundtrip'],
  ['folder/s.roundtrip', 'real/s.roundtrip'],
  ['real/s.roundtrip', 'folder/s.roundtrip'],
  ['real/s.roundtrip-wal', 'folder/s.roundtrip'],
  ['real/s.roundtrip', 'file'],
  ['file', 'file'],
])('a HAR at %s would replace the session at %s', async (har, session) => {
  const within = folder();
  const about = { code: 'har.write-failed', message: expect.stringContaining('it is a file of the session') };
  await expect(checkHarPlace(path.join(within, har), path.join(within, session))).rejects.toMatchObject(about);
});

it.each([
  ['real/s.har', 'real/s.roundtrip'],
  ['real/s.roundtrip-2', 'real/s.roundtrip'],
  // The link becomes a file: the session stays.
  ['file', 'real/s.roundtrip'],
])('a HAR at %s leaves the session at %s alone', async (har, session) => {
  const within = folder();
  await checkHarPlace(path.join(within, har), path.join(within, session));
  await checkHarPlace(path.join(within, har), null);
});

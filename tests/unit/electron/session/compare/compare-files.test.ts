import path from 'node:path';
import { expect, it } from 'vitest';
import { compareFiles } from '../../../../../electron/session/compare/compare-files.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

async function sessionWith(name: string, ...paths: string[]) {
  const file = path.join(temporaryFolder(), `${name}.roundtrip`);
  const recorder = await startRecorder(file);
  for (const [at, where] of paths.entries()) {
    record(recorder, exampleExchange({ id: at + 1, request: { path: where } }));
  }
  await recorder.close();
  return closing(new SessionReader(file));
}

it('compares the rows of two files, without those that a filter ignores', async () => {
  using before = await sessionWith('before', '/a', '/b', '/ads/1');
  using after = await sessionWith('after', '/a', '/c', '/ads/2', '/ads/3');
  const ignored = { queries: ['path:/ads'], changes: [] };
  const { counts, added, gone } = await compareFiles(before.it, after.it, ignored, 100);
  expect(counts).toEqual({ added: 1, gone: 1, changed: 0, unchanged: 1 });
  expect([added[0]?.url, gone[0]?.url]).toEqual(['https://api.test/c', 'https://api.test/b']);
});

it('refuses an invalid ignored filter', async () => {
  using before = await sessionWith('one');
  await expect(compareFiles(before.it, before.it, { queries: ['stauts:1'], changes: [] }, 1)).rejects.toThrow(
    'The filter "stauts:1", which a comparison ignores, cannot be used: There is no field stauts.',
  );
});

import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Runs `roundtrip --version` with this cache folder, and returns the files of compiled code below it. */
async function filesAfterStart(cache: string, env: Record<string, string> = {}): Promise<string[]> {
  const finished = await runRoundtrip(['--version'], { env: { XDG_CACHE_HOME: cache, ...env } });
  expect(finished).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' });
  if (!fs.existsSync(cache)) return [];
  const entries = fs.readdirSync(cache, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

const compiledIn = (cache: string) => path.join(cache, 'roundtrip/compiled');

it.runIf(process.platform === 'linux')('compiled code is kept for the next start, for this user only', async () => {
  const cache = path.join(temporaryFolder(), 'cache');
  const files = await filesAfterStart(cache);
  expect(files.length).toBeGreaterThan(0);
  expect(fs.statSync(compiledIn(cache)).mode & 0o777).toBe(0o700);
  const written = () => files.map((file) => fs.statSync(file).mtimeMs);
  const before = written();
  expect(await filesAfterStart(cache)).toEqual(files);
  // Read, not written again.
  expect(written()).toEqual(before);
});

it.runIf(process.platform === 'linux')('nothing is kept in a folder that others can write', async () => {
  const cache = temporaryFolder();
  fs.mkdirSync(compiledIn(cache), { recursive: true });
  fs.chmodSync(path.join(cache, 'roundtrip'), 0o777);
  expect(await filesAfterStart(cache)).toEqual([]);
});

it.runIf(process.getuid?.() === 0)('nothing is kept or made in the folder of another user', async () => {
  const cache = temporaryFolder();
  fs.chownSync(cache, 65_534, 65_534);
  expect(await filesAfterStart(cache)).toEqual([]);
  // One of root's would keep that user's own code from being kept.
  expect(fs.readdirSync(cache)).toEqual([]);
});

it.runIf(process.platform === 'linux')('a command starts without a place for it, and if it is turned off', async () => {
  const file = path.join(temporaryFolder(), 'file');
  fs.writeFileSync(file, '');
  const finished = await runRoundtrip(['--version'], { env: { XDG_CACHE_HOME: path.join(file, 'cache') } });
  expect(finished).toMatchObject({ exitCode: 0, stderr: '' });
  const cache = path.join(temporaryFolder(), 'cache');
  await filesAfterStart(cache, { NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(fs.existsSync(cache)).toBe(false);
});

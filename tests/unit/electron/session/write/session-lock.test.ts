import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const LOCK = path.resolve('electron/session/write/session-lock.ts');

/** Takes and releases the lock 100 times, and counts how often another process had it at the same time. */
const OWN = `
  const fs = await import('node:fs');
  const { SessionLock } = await import(process.argv[1]);
  const session = process.argv[2];
  const seen = { owned: 0, shared: 0 };
  while (seen.owned < 100) {
    let lock;
    try {
      lock = new SessionLock(session);
    } catch {
      continue;
    }
    seen.owned += 1;
    try {
      fs.writeFileSync(session + '.owner', '', { flag: 'wx' });
      fs.rmSync(session + '.owner');
    } catch {
      seen.shared += 1;
    }
    lock.release();
  }
  console.log(JSON.stringify(seen));`;

test('processes that take turns at a session never own it together, although each removes the lock', async () => {
  const session = path.join(temporaryFolder(), 'a.roundtrip');
  const own = async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', OWN, pathToFileURL(LOCK).href, session], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return JSON.parse(printed);
  };
  const expected = { owned: 100, shared: 0 };
  expect(await Promise.all([own(), own(), own()])).toEqual([expected, expected, expected]);
});

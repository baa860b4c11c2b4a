import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SessionReader } from '../../../electron/session/read/session-reader.ts';
import { SessionWriter } from '../../../electron/session/write/session-writer.ts';
import type { Runtime } from '../../../electron/worker/runtime.ts';
import { DEFAULT_SETTINGS } from '../../../shared/model/settings.ts';
import { getThrough, helloOrigin, mortalRuntime } from '../../support/mortal-runtime.ts';
import { closing } from '../../support/recording.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const MIB = 1024 * 1024;

async function start(sessionPath?: string) {
  const all = await mortalRuntime(sessionPath);
  await all.runtime.start();
  const url = await helloOrigin();
  const get = (where: string) => getThrough(all.runtime.status().proxyUrl, `${url}${where}`);
  return { ...all, get };
}

async function paths(runtime: Runtime): Promise<string[]> {
  return (await runtime.recorded.page({ after: 0, limit: 1000 })).rows.map((row) => row.path);
}

function pathsIn(file: string): string[] {
  using reader = closing(new SessionReader(file));
  return reader.it.page(0, 1000).rows.map((row) => row.path);
}

/** Gets `/0` to `/49`, one after the other, and does something in the middle. Returns the paths. */
async function fifty(get: (where: string) => Promise<string>, inTheMiddle: () => void): Promise<string[]> {
  const asked = Array.from({ length: 50 }, (_, index) => `/${index}`);
  for (const where of asked) {
    if (where === '/25') inTheMiddle();
    expect(await get(where)).toBe('hello');
  }
  return asked;
}

describe("a writer's thread that dies in the middle of traffic", () => {
  it('is restarted, and every exchange is in the file', async () => {
    const { runtime, heard, kill, get, session } = await start();
    const over = heard.untilOvercome('session.writer-died');
    const asked = await fifty(get, () => kill('session-writer'));
    await over;
    expect(await paths(runtime)).toEqual(asked);
    expect(heard.failures).toEqual(['session.writer-died']);
    await runtime.close(0);
    expect(runtime.losses()).toEqual({ exchanges: 0, whole: true });
    expect(pathsIn(session)).toEqual(asked);
  });

  it('is restarted each time it dies', async () => {
    const { runtime, heard, kill, get } = await start();
    for (let death = 0; death < 3; death += 1) {
      const over = heard.untilOvercome('session.writer-died');
      kill('session-writer');
      await get(`/${death}`);
      await over;
    }
    expect(await paths(runtime)).toEqual(['/0', '/1', '/2']);
  });
});

it('other threads that die are reported, and nothing is lost', async () => {
  const { runtime, heard, kill, get } = await start();
  await get('/before');
  expect(await paths(runtime)).toEqual(['/before']);
  for (const name of ['checkpoint', 'session-reader'] as const) {
    const before = heard.failures.length;
    kill(name);
    await expect.poll(() => heard.failures.length).toBe(before + 1);
  }
  expect(heard.failures).toEqual(['engine.helper-died', 'engine.helper-died']);
  await get('/after');
  expect(await paths(runtime)).toEqual(['/before', '/after']);
});

describe('a file that another process locks', () => {
  it('is reported; traffic continues, and rows wait until it is free', async () => {
    const { runtime, heard, get, session } = await start();
    const script = `
      const { DatabaseSync } = require('node:sqlite');
      const database = new DatabaseSync(process.argv[1]);
      database.exec('BEGIN IMMEDIATE');
      console.log('locked');
      process.stdin.once('data', () => database.exec('COMMIT'));`;
    const locker = spawn(process.execPath, ['-e', script, session], { stdio: ['pipe', 'pipe', 'ignore'] });
    onTestFinished(() => void locker.kill('SIGKILL'));
    await once(locker.stdout, 'data');
    const failing = heard.until(({ recordingFailure, waiting }) => recordingFailure !== null && waiting === 2);
    await get('/one');
    await get('/two');
    await failing;
    expect(runtime.status()).toMatchObject({ state: 'running', recordingFailure: { code: 'session.write-failed' } });
    expect(heard.failures).toEqual(['session.write-failed']);
    const over = heard.until(({ recordingFailure }) => recordingFailure === null);
    locker.stdin.write('\n');
    await over;
    expect(runtime.status()).toMatchObject({ waiting: 0, lost: 0 });
    expect(await paths(runtime)).toEqual(['/one', '/two']);
  });
});

describe('a disk that hangs', () => {
  it('is reported, slows no traffic, and everything is written once it responds', async () => {
    const { runtime, heard, get, freeze } = await start();
    const stalled = heard.until(({ recordingFailure }) => recordingFailure?.code === 'session.stalled');
    const thaw = freeze('session-writer');
    const asked = await fifty(get, () => undefined);
    await stalled;
    // A window's request does not wait for the disk.
    await runtime.recorded.page({ after: 0, limit: 10 });
    const over = heard.until(({ recordingFailure }) => recordingFailure === null);
    thaw();
    await over;
    expect(await paths(runtime)).toEqual(asked);
  });

  it('does not block shutdown forever: losses are counted', async () => {
    const { runtime, get, freeze } = await start();
    await get('/kept');
    expect(await paths(runtime)).toEqual(['/kept']);
    const thaw = freeze('session-writer');
    onTestFinished(thaw);
    await get('/one');
    await get('/two');
    await runtime.stopEngine(0);
    expect(runtime.losses()).toEqual({ exchanges: 2, whole: true });
  });
});

it('a full disk: rows wait, bodies are truncated and marked, and recording continues once there is room', async ({
  skip,
}) => {
  const disk = smallDisk(2);
  if (disk === null) return skip('this user may not mount a tmpfs');
  const { runtime, heard, get } = await start(path.join(disk.folder, 's.roundtrip'));
  const full = heard.until(({ recordingFailure }) => recordingFailure?.code === 'session.write-failed');
  for (let index = 0; index < 60; index += 1) await get(`/bytes/${MIB / 2}`);
  await full;
  await get('/after');
  expect(runtime.status()).toMatchObject({ lost: 0, state: 'running' });
  await expect.poll(() => runtime.status().bytesNotKept).toBeGreaterThan(0);
  const over = heard.until(({ recordingFailure }) => recordingFailure === null);
  disk.grow(256);
  await over;
  const rows = (await runtime.recorded.page({ after: 0, limit: 100 })).rows;
  expect([rows.length, rows.at(-1)?.path]).toEqual([61, '/after']);
  expect(rows.every((row) => row.state === 'complete')).toBe(true);
  const last = await runtime.recorded.exchange(60);
  expect(last.response?.body).toMatchObject({ size: MIB / 2, complete: true });
  expect(last.response?.body.stored).toBeLessThan(MIB / 2);
  expect(heard.failures).toEqual(['session.write-failed']);
});

describe('a session file', () => {
  it('that is removed continues in a new file with the whole session', async () => {
    const { runtime, heard, get, folder, session } = await start();
    await get('/before');
    expect(await paths(runtime)).toEqual(['/before']);
    const moved = heard.until(({ failure }) => failure?.code === 'session.file-removed');
    for (const suffix of ['', '-wal', '-shm', '-lock']) fs.rmSync(`${session}${suffix}`, { force: true });
    await get('/between');
    await moved;
    await get('/after');
    const asked = ['/before', '/between', '/after'];
    expect(await paths(runtime)).toEqual(asked);
    const target = path.join(folder, 's-2.roundtrip');
    expect((await runtime.recorded.info()).path).toBe(target);
    expect(heard.sessions.map((each) => each.path)).toEqual([target]);
    expect(fs.statSync(target).mode & 0o777).toBe(0o600);
    await runtime.close(0);
    expect(pathsIn(target)).toEqual(asked);
    expect(fs.readdirSync(folder).filter((name) => name.includes('.roundtrip'))).toEqual(['s-2.roundtrip']);
  });

  it('that is replaced continues in a new file, and the other one stays unchanged', async () => {
    const { runtime, heard, get, folder, session } = await start();
    await get('/before');
    expect(await paths(runtime)).toEqual(['/before']);
    const other = path.join(folder, 'other.roundtrip');
    SessionWriter.open(other).close();
    const bytes = fs.readFileSync(other);
    const moved = heard.until(({ failure }) => failure?.code === 'session.file-replaced');
    fs.renameSync(other, session);
    await moved;
    await get('/after');
    expect(await paths(runtime)).toEqual(['/before', '/after']);
    await runtime.close(0);
    expect(pathsIn(path.join(folder, 's-2.roundtrip'))).toEqual(['/before', '/after']);
    expect(fs.readFileSync(session).equals(bytes)).toBe(true);
    // Not even our log is left beside it: whoever opens the file would read that with it.
    expect(pathsIn(session)).toEqual([]);
  });

  it('that is removed without its log leaves no log behind', async () => {
    const { runtime, heard, get, folder, session } = await start();
    await get('/before');
    await runtime.recorded.info();
    const moved = heard.until(({ failure }) => failure?.code === 'session.file-removed');
    fs.rmSync(session);
    await moved;
    await runtime.close(0);
    expect(pathsIn(path.join(folder, 's-2.roundtrip'))).toEqual(['/before']);
    expect(fs.readdirSync(folder).filter((name) => name.includes('.roundtrip'))).toEqual(['s-2.roundtrip']);
  });

  it('that is truncated is reported, and recording continues in a new file', async () => {
    const { runtime, heard, get, folder, session } = await start();
    await get('/before');
    await runtime.recorded.info();
    const moved = heard.until(({ failure }) => failure?.code === 'session.file-damaged');
    fs.truncateSync(session, 100);
    await moved;
    await get('/after');
    expect((await paths(runtime)).at(-1)).toBe('/after');
    expect(runtime.status().state).toBe('running');
    await runtime.close(0);
    expect(pathsIn(path.join(folder, 's-2.roundtrip')).at(-1)).toBe('/after');
    expect(runtime.losses()).toEqual({ exchanges: 0, whole: true });
  });

  it('that is missing when its writer died is replaced by a new one, which is reported', async () => {
    const { runtime, heard, get, kill, session } = await start();
    await get('/before');
    await runtime.recorded.info();
    const moved = heard.until(({ failure }) => failure?.code === 'session.file-removed');
    for (const suffix of ['', '-wal', '-shm', '-lock']) fs.rmSync(`${session}${suffix}`, { force: true });
    kill('session-writer');
    await moved;
    await get('/after');
    expect((await paths(runtime)).at(-1)).toBe('/after');
  });

  it.skipIf(process.platform === 'win32')('that is a FIFO is refused at once', async () => {
    const fifo = path.join(temporaryFolder(), 's.roundtrip');
    spawnSync('mkfifo', [fifo]);
    const { runtime } = await mortalRuntime(fifo);
    await expect(runtime.start()).rejects.toMatchObject({ code: 'session.open-failed' });
  });
});

it('keeps to its settings after trouble', async () => {
  const { runtime, heard, get, kill } = await start();
  await runtime.apply({ ...DEFAULT_SETTINGS, recording: false });
  const over = heard.untilOvercome('session.writer-died');
  kill('session-writer');
  await over;
  await get('/paused');
  expect(await paths(runtime)).toEqual([]);
});

import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { SessionCatalog } from '../../../../../electron/session/catalog/session-catalog.ts';
import type { PruneLimits } from '../../../../../shared/model/session/prune-limits.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { record, startRecorder } from '../../../../support/recording.ts';
import { smallDisk } from '../../../../support/small-disk.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

let folder: string;
let catalog: SessionCatalog;

beforeEach(() => {
  const data = temporaryFolder();
  folder = path.join(data, 'sessions');
  mkdirSync(folder);
  catalog = new SessionCatalog(data);
});

async function recording(name: string, changed: number) {
  const file = path.join(folder, `${name}.roundtrip`);
  const recorder = await startRecorder(file);
  record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
  await recorder.flush();
  return {
    file,
    recorder,
    close: async () => {
      await recorder.close();
      utimesSync(file, changed, changed);
    },
  };
}

async function closed(name: string, changed: number): Promise<string> {
  const { file, close } = await recording(name, changed);
  await close();
  return file;
}

test('sessions with count, date and how they ended, the newest first', async () => {
  await closed('old', 1000);
  const { file, close } = await recording('live', 2000);
  const crashed = path.join(folder, 'crashed.roundtrip');
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, crashed + suffix);
  utimesSync(crashed, 3_000_000_000, 3_000_000_000);
  writeFileSync(path.join(folder, 'broken.roundtrip'), 'text');
  utimesSync(path.join(folder, 'broken.roundtrip'), 500, 500);
  expect(await catalog.list()).toMatchObject([
    { name: 'crashed', exchanges: 1, ended: 'recovered', problem: null },
    { name: 'live', exchanges: 1, ended: 'recording', startedAt: expect.any(Number) },
    { name: 'old', exchanges: 1, ended: 'closed', note: '' },
    { name: 'broken', exchanges: null, problem: 'It cannot be opened: it is not a session file.' },
  ]);
  await close();
});

test('a name and a note are stored outside the file, and deleted with it', async () => {
  const file = await closed('a', 1000);
  catalog.describe(file, 'Login', 'before the fix');
  expect(await catalog.list()).toMatchObject([{ path: file, name: 'Login', note: 'before the fix' }]);
  catalog.remove(file);
  await closed('a', 1000);
  expect(await catalog.list()).toMatchObject([{ name: 'a', note: '' }]);
});

test('duplicates, and removes with all side files', async () => {
  const file = await closed('a', 1000);
  const copy = await catalog.duplicate(file);
  expect(await catalog.list()).toHaveLength(2);
  catalog.remove(file);
  expect(await catalog.list()).toMatchObject([{ path: copy, name: 'a copy', exchanges: 1 }]);
});

test('only a session of the folder that is not being recorded can be changed', async () => {
  const { file, close } = await recording('live', 1000);
  expect(() => catalog.remove(file)).toThrow(`The session file ${file} was left as it is: it is being recorded.`);
  expect(() => catalog.remove('/etc/passwd')).toThrow('it is not one of the sessions in the data folder');
  await close();
  expect(existsSync(file)).toBe(true);
});

test('kept and recording sessions are never named; they and write-ahead logs count for the size', async () => {
  const [first, second] = [await closed('a', 1000), await closed('b', 2000)];
  const live = await recording('live', 500);
  writeFileSync(`${second}-wal`, new Uint8Array(5_000_000));
  const limits = { olderThanDays: null, overBytes: 4_000_000 };
  expect(catalog.prunable(limits, new Set())).toEqual([first, second]);
  expect(catalog.prunable(limits, new Set([first]))).toEqual([second]);
  expect(catalog.prunable({ olderThanDays: 0, overBytes: null }, new Set([second]))).toEqual([first]);
  expect(catalog.prunable({ olderThanDays: null, overBytes: null }, new Set())).toEqual([]);
  expect(existsSync(first)).toBe(true);
  await live.close();
});

test('prunes by age and by size, the oldest first', async () => {
  const [first, second] = [await closed('a', 1000), await closed('b', 2000), await closed('c', 3000)];
  const day = 24 * 60 * 60;
  const now = (1000 + 2 * day) * 1000 + 1;
  const paths = (limits: PruneLimits) => [...catalog.prune(limits, new Set(), now)].map((each) => each.path);
  expect(paths({ olderThanDays: 2, overBytes: null })).toEqual([first]);
  const [entry] = await catalog.list();
  expect(paths({ olderThanDays: null, overBytes: (entry?.bytes ?? 0) + 1 })).toEqual([second]);
  expect(await catalog.list()).toMatchObject([{ name: 'c' }]);
});

test('recordings that were never used are removed; used, named, kept and other files stay', async () => {
  const empty = (suffix: string) => path.join(folder, `2026-11-24T12-08-44-${suffix}Z-0706f913.roundtrip`);
  for (const name of ['001', '002', '003', '004']) await (await startRecorder(empty(name))).close();
  const live = await startRecorder(empty('005'));
  // A process that was killed leaves its log and an unlocked lock.
  for (const suffix of ['', '-wal', '-lock', '-lock-journal'])
    copyFileSync(empty('005') + suffix, empty('006') + suffix);
  writeFileSync(empty('007'), '');
  const used = await closed('2026-11-24T12-08-44-008Z-0706f913', 1000);
  const own = path.join(folder, 'mine.roundtrip');
  await (await startRecorder(own)).close();
  catalog.describe(empty('002'), '', 'kept for its note');
  const none = new Set<string>();
  // Another process may have just ended it, and be about to read it.
  catalog.removeUnused(none, none);
  expect(existsSync(empty('001'))).toBe(true);
  catalog.removeUnused(none, new Set([empty('001')]));
  expect([empty('001'), empty('004')].map((file) => existsSync(file))).toEqual([false, true]);
  catalog.removeUnused(new Set([empty('003')]), none, Date.now() + 60 * 60 * 1000);
  await live.close();
  const left = readdirSync(folder).filter((name) => name !== 'names.json');
  expect(left.sort()).toEqual([empty('002'), empty('003'), empty('005'), used, own].map((file) => path.basename(file)));
});

test('a damaged recording of which nothing can be read is not taken for an unused one', async () => {
  const damaged = await closed('2026-11-24T12-08-44-009Z-0706f913', 1000);
  const { size } = statSync(damaged);
  const handle = openSync(damaged, 'r+');
  writeSync(handle, new Uint8Array(size - 4096).fill(1), 0, size - 4096, 4096);
  closeSync(handle);
  catalog.removeUnused(new Set(), new Set([damaged]));
  expect(existsSync(damaged)).toBe(true);
});

test('a file that did not change is not read again; one that did is', async () => {
  const file = await closed('a', 1000);
  expect(await catalog.list()).toMatchObject([{ exchanges: 1 }]);
  // As large, and not changed since: only a second look would find it.
  writeFileSync(file, new Uint8Array(statSync(file).size));
  utimesSync(file, 1000, 1000);
  expect(await catalog.list()).toMatchObject([{ exchanges: 1 }]);
  utimesSync(file, 2000, 2000);
  expect(await catalog.list()).toMatchObject([{ exchanges: null }]);
});

test('a large file that a crash left behind, or that is damaged, is not copied for the list', async () => {
  const { file, close } = await recording('live', 1000);
  const crashed = path.join(folder, 'crashed.roundtrip');
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, crashed + suffix);
  await close();
  truncateSync(`${crashed}-wal`, 20_000_000);
  const damaged = await closed('damaged', 500);
  truncateSync(damaged, 20_000_000);
  const handle = openSync(damaged, 'r+');
  writeSync(handle, new Uint8Array(150_000).fill(1), 0, 150_000, 4096);
  closeSync(handle);
  const entries = await catalog.list();
  expect(entries.find(({ name }) => name === 'crashed')).toMatchObject({
    ...{ ended: 'recovered', exchanges: null, problem: null },
  });
  expect(entries.find(({ name }) => name === 'damaged')).toMatchObject({
    problem: 'This session file is damaged. Open it to read what is left.',
  });
});

test('a copy that the disk has no room for leaves nothing behind', async ({ skip }) => {
  const disk = smallDisk(4);
  if (disk === null) return skip('may not mount a file system');
  folder = path.join(disk.folder, 'sessions');
  mkdirSync(folder);
  catalog = new SessionCatalog(disk.folder);
  const file = await closed('a', 1000);
  writeFileSync(path.join(folder, 'filler'), new Uint8Array(4 * 1024 * 1024 - statSync(file).size - 100_000));
  const before = readdirSync(folder);
  await expect(catalog.duplicate(file)).rejects.toThrow('the disk is full');
  expect(readdirSync(folder)).toEqual(before);
});

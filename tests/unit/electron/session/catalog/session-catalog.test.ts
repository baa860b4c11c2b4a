import { copyFileSync, existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { SessionCatalog } from '../../../../../electron/session/catalog/session-catalog.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { record, startRecorder } from '../../../../support/recording.ts';
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
  expect(catalog.list()).toMatchObject([
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
  expect(catalog.list()).toMatchObject([{ path: file, name: 'Login', note: 'before the fix' }]);
  catalog.remove(file);
  await closed('a', 1000);
  expect(catalog.list()).toMatchObject([{ name: 'a', note: '' }]);
});

test('duplicates, and removes with all side files', async () => {
  const file = await closed('a', 1000);
  const copy = catalog.duplicate(file);
  expect(catalog.list()).toHaveLength(2);
  catalog.remove(file);
  expect(catalog.list()).toMatchObject([{ path: copy, name: 'a copy', exchanges: 1 }]);
});

test('only a session of the folder that is not being recorded can be changed', async () => {
  const { file, close } = await recording('live', 1000);
  expect(() => catalog.remove(file)).toThrow(`The session file ${file} was left as it is: it is being recorded.`);
  expect(() => catalog.remove('/etc/passwd')).toThrow('it is not one of the sessions in the data folder');
  await close();
  expect(existsSync(file)).toBe(true);
});

test('what is kept or being recorded is never named, but counts for the size; so does a write-ahead log', async () => {
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
  expect(catalog.prune({ olderThanDays: 2, overBytes: null }, now)).toEqual([first]);
  const [entry] = catalog.list();
  expect(catalog.prune({ olderThanDays: null, overBytes: (entry?.bytes ?? 0) + 1 }, now)).toEqual([second]);
  expect(catalog.list()).toMatchObject([{ name: 'c' }]);
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { SessionCatalog } from '../../../../../electron/session/catalog/session-catalog.ts';
import { DatabaseSync } from '../../../../../electron/session/format/sqlite.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
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

test('a recording that ended while another process follows it is closed, not recovered', async () => {
  const { recorder, file } = await recording('followed', 1000);
  const reader = new SessionReader(file);
  await recorder.close();
  expect(await catalog.list()).toMatchObject([{ ended: 'closed', exchanges: 1 }]);
  reader.close();
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

const idOf = (file: string) => {
  const database = new DatabaseSync(file, { readOnly: true });
  const { id } = database.prepare('SELECT id FROM session').get() ?? {};
  database.close();
  return id;
};

test('a duplicate is another session, with the name and the note of the first', async () => {
  const file = await closed('a', 1000);
  chmodSync(file, 0o400);
  catalog.describe(file, 'Login', 'before the fix');
  const before = readFileSync(file);
  const copy = await catalog.duplicate(file);
  expect(readFileSync(file)).toEqual(before);
  expect(idOf(copy)).not.toBe(idOf(file));
  const entries = await catalog.list();
  expect(entries.find((entry) => entry.path === copy)).toMatchObject({
    ...{ name: 'Login copy', note: 'before the fix', ended: 'closed', exchanges: 1, problem: null },
  });
});

test('a duplicate of the recording has what is in its file, and leaves the recording as it is', async () => {
  const { file, close } = await recording('live', 1000);
  const copy = await catalog.duplicate(file);
  expect(readdirSync(folder).filter((name) => name.startsWith('live copy'))).toEqual(['live copy.roundtrip']);
  const entries = await catalog.list();
  expect(entries.find((entry) => entry.path === copy)).toMatchObject({ ended: 'closed', exchanges: 1 });
  expect(entries.find((entry) => entry.path === file)).toMatchObject({ ended: 'recording' });
  expect(idOf(copy)).not.toBe(idOf(file));
  await close();
});

test('a duplicate of another program’s database is the same to the byte', async () => {
  const file = path.join(folder, 'foreign.roundtrip');
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE session (id TEXT); INSERT INTO session VALUES ('theirs')");
  database.close();
  expect(readFileSync(await catalog.duplicate(file))).toEqual(readFileSync(file));
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
  const paths = (of: PruneLimits, kept: string[]) => catalog.prunable(of, new Set(kept)).paths;
  expect(paths(limits, [])).toEqual([first, second]);
  expect(paths(limits, [first])).toEqual([second]);
  expect(paths({ olderThanDays: 0, overBytes: null }, [second])).toEqual([first]);
  expect(paths({ olderThanDays: null, overBytes: null }, [])).toEqual([]);
  expect(existsSync(first)).toBe(true);
  await live.close();
});

test('prunes by age and by size, the oldest first', async () => {
  const [first, second] = [await closed('a', 1000), await closed('b', 2000), await closed('c', 3000)];
  const day = 24 * 60 * 60;
  const now = (1000 + 2 * day) * 1000 + 1;
  const paths = (limits: PruneLimits) => catalog.prune(limits, new Set(), now).removed.map((each) => each.path);
  expect(paths({ olderThanDays: 2, overBytes: null })).toEqual([first]);
  const [entry] = await catalog.list();
  expect(paths({ olderThanDays: null, overBytes: (entry?.bytes ?? 0) + 1 })).toEqual([second]);
  expect(await catalog.list()).toMatchObject([{ name: 'c' }]);
});

/** A process that reads the session until it is ended. */
async function readElsewhere(file: string): Promise<ChildProcess> {
  const reader = path.resolve('electron/session/read/session-reader.ts');
  const code = `const { SessionReader } = await import(process.argv[1]);
    globalThis.reader = new SessionReader(process.argv[2]);
    console.log('open'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, pathToFileURL(reader).href, file]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

test('a session that another process reads is not removed until that one ends', async () => {
  const [first, second] = [await closed('a', 1000), await closed('b', 2000)];
  const limits = { olderThanDays: 1, overBytes: null };
  expect(catalog.prunable(limits, new Set()).paths).toEqual([first, second]);
  const child = await readElsewhere(first);
  expect(catalog.prunable(limits, new Set())).toEqual({ paths: [second], inUse: [first] });
  expect(catalog.prune(limits)).toMatchObject({
    removed: [{ path: second }],
    kept: [{ code: 'session.file-failed', message: expect.stringContaining('another window or command has it open') }],
  });
  expect([existsSync(first), existsSync(second)]).toEqual([true, false]);
  const ended = once(child, 'exit');
  // However it ends, its lock ends with it.
  child.kill('SIGKILL');
  await ended;
  expect(catalog.prune(limits)).toMatchObject({ removed: [{ path: first }], kept: [] });
});

test('a session that this process reads is not removed until its reader is closed', async () => {
  const file = await closed('a', 1000);
  catalog.prunable({ olderThanDays: null, overBytes: null }, new Set());
  const readers = [new SessionReader(file), new SessionReader(file)];
  for (const reader of readers) {
    expect(() => catalog.remove(file)).toThrow('another window or command has it open');
    reader.close();
  }
  catalog.remove(file);
  expect(existsSync(file)).toBe(false);
});

test('one session that cannot be removed does not keep the others', async () => {
  const [first, second] = [await closed('a', 1000), await closed('b', 2000)];
  mkdirSync(path.join(`${first}.deleted`, 'in the way'), { recursive: true });
  expect(catalog.prune({ olderThanDays: 1, overBytes: null })).toMatchObject({
    removed: [{ path: second }],
    kept: [{ code: 'session.file-failed', message: expect.stringContaining(first) }],
  });
});

test('links, folders and pipes are no sessions to prune, whatever their age', async ({ skip }) => {
  if (process.platform === 'win32') return skip('Windows has no pipes with names');
  const file = await closed('a', 1000);
  const elsewhere = path.join(temporaryFolder(), 'on another disk.roundtrip');
  symlinkSync(elsewhere, path.join(folder, 'not mounted.roundtrip'));
  symlinkSync('loop.roundtrip', path.join(folder, 'loop.roundtrip'));
  mkdirSync(path.join(folder, 'mine.roundtrip'));
  spawnSync('mkfifo', [path.join(folder, 'pipe.roundtrip')]);
  const before = readdirSync(folder);
  expect((await catalog.list()).map(({ name, problem }) => [name, problem])).toEqual(
    expect.arrayContaining([
      ['loop', 'It cannot be opened: its links lead in a circle.'],
      ['not mounted', 'It cannot be opened: there is no such file.'],
      ['mine', 'It cannot be opened: it is a folder.'],
      ['pipe', 'It cannot be opened: it is not a regular file.'],
    ]),
  );
  expect(() => catalog.remove(path.join(folder, 'mine.roundtrip'))).toThrow('it is a folder');
  expect(catalog.prune({ olderThanDays: 1, overBytes: 0 })).toMatchObject({ removed: [{ path: file }], kept: [] });
  expect(readdirSync(folder).filter((name) => name !== 'names.json')).toEqual(
    before.filter((name) => name !== 'a.roundtrip'),
  );
});

test('a name that is not UTF-8 is reported, and stays', async ({ skip }) => {
  if (process.platform !== 'linux') return skip('only Linux has such names');
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff]), Buffer.from('.roundtrip')]), '');
  expect(await catalog.list()).toMatchObject([
    { problem: 'It cannot be opened: its name is not UTF-8. Rename the file.' },
  ]);
  expect(catalog.prune({ olderThanDays: 0, overBytes: 0 })).toEqual({ removed: [], kept: [] });
});

test('a full disk does not prevent that a session is deleted', async ({ skip }) => {
  const disk = smallDisk(4);
  if (disk === null) return skip('may not mount a file system');
  folder = path.join(disk.folder, 'sessions');
  mkdirSync(folder);
  catalog = new SessionCatalog(disk.folder);
  const file = await closed('a', 1000);
  const limits = { olderThanDays: 1, overBytes: null };
  catalog.prunable(limits, new Set());
  new SessionReader(file).close();
  expect(() => writeFileSync(path.join(folder, 'filler'), new Uint8Array(4 * 1024 * 1024))).toThrow('ENOSPC');
  expect(catalog.prunable(limits, new Set())).toEqual({ paths: [file], inUse: [] });
  catalog.remove(file);
  expect(existsSync(file)).toBe(false);
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

test('a recording whose log is damaged is not taken for an unused one', async () => {
  const recorder = await startRecorder(path.join(folder, 'live.roundtrip'));
  record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
  await recorder.flush();
  const crashed = path.join(folder, '2026-11-24T12-08-44-010Z-0706f913.roundtrip');
  for (const suffix of ['', '-wal']) copyFileSync(`${path.join(folder, 'live.roundtrip')}${suffix}`, crashed + suffix);
  await recorder.close();
  writeFileSync(`${crashed}-wal`, new Uint8Array(statSync(`${crashed}-wal`).size).fill(7));
  catalog.removeUnused(new Set(), new Set([crashed]));
  expect(existsSync(crashed)).toBe(true);
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
    ...{
      ended: 'recovered',
      exchanges: null,
      problem: expect.stringContaining('the log (-wal) that it left is damaged'),
    },
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

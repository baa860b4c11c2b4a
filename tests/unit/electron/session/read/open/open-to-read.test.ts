import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { lookAtSession } from '../../../../../../electron/session/catalog/look-at-session.ts';
import { markExchanges, removeExchanges } from '../../../../../../electron/session/edit/edit-session.ts';
import { formatOf } from '../../../../../../electron/session/import/file-format.ts';
import { ConnectionCache } from '../../../../../../electron/session/read/connection-cache.ts';
import { openToRead } from '../../../../../../electron/session/read/open/open-to-read.ts';
import { SessionReader } from '../../../../../../electron/session/read/session-reader.ts';
import { SessionWriter } from '../../../../../../electron/session/write/session-writer.ts';
import { exampleExchange } from '../../../../../support/example-exchange.ts';
import { writeOldSession } from '../../../../../support/old-session-files.ts';
import { closing, record, startRecorder } from '../../../../../support/recording.ts';
import { smallDisk } from '../../../../../support/small-disk.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = temporaryFolder();
  file = path.join(folder, 'a.roundtrip');
});

async function recorded(exchanges: number) {
  const recorder = await startRecorder(file);
  for (let n = 0; n < exchanges; n += 1)
    record(recorder, exampleExchange({ id: recorder.nextExchangeId() }), { response: Buffer.alloc(2000, n) });
  return recorder;
}

/** Names, contents and times of all files in the folder. */
function stateOf(): string[] {
  return readdirSync(folder).map((name) => {
    const hash = createHash('sha256')
      .update(readFileSync(path.join(folder, name)))
      .digest('hex');
    return `${name} ${hash}`;
  });
}

/** Opens the file, reads everything, and checks that no byte of the folder changed. */
function readUnchanged(): { exchanges: number; notice: string | undefined } {
  const before = stateOf();
  using read = closing(new SessionReader(file));
  const { notice } = read.it.info();
  const exchanges = read.it.exchanges(read.it.page(0, 5000).rows, new ConnectionCache()).length;
  expect(stateOf()).toEqual(before);
  return { exchanges, notice };
}

test('a closed session is read without a change, even in a read-only folder', async () => {
  await (await recorded(3)).close();
  chmodSync(file, 0o400);
  chmodSync(folder, 0o500);
  expect(readUnchanged()).toEqual({ exchanges: 3, notice: undefined });
  chmodSync(folder, 0o700);
  expect(readdirSync(folder)).toEqual(['a.roundtrip']);
});

test('a session left by a crash is recovered in a copy', async () => {
  const recorder = await recorded(3);
  await recorder.flush();
  const crashed = path.join(temporaryFolder(), 'b.roundtrip');
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, crashed + suffix);
  await recorder.close();
  folder = path.dirname(crashed);
  file = crashed;
  expect(readUnchanged()).toEqual({ exchanges: 3, notice: undefined });
});

test('a session that is being recorded is read along with its writer', async () => {
  const recorder = await recorded(2);
  await recorder.flush();
  using read = closing(new SessionReader(file));
  expect(read.it.page(0, 10).rows).toHaveLength(2);
  record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
  await recorder.flush();
  expect(read.it.page(0, 10).rows).toHaveLength(3);
  await recorder.close();
});

/** When the session began, as it is read. */
function createdAt(): unknown {
  const { database, close } = openToRead(file);
  const created = database.prepare('SELECT created_at FROM session').get()?.created_at;
  close();
  return created;
}

test('a truncated file is read as far as possible, and a sentence reports it', async () => {
  await (await recorded(2000)).close();
  const recordedAt = createdAt();
  const { length } = readFileSync(file);
  truncateSync(file, Math.floor(length * 0.6));
  const { exchanges, notice } = readUnchanged();
  expect(exchanges).toBeGreaterThan(0);
  expect(notice).toBe(
    `This session file is damaged: ${exchanges.toLocaleString('en')} exchanges could be read, ` +
      'and others may be missing.',
  );
  expect(createdAt()).toBe(recordedAt);
});

test('damaged pages in the middle', async () => {
  await (await recorded(2000)).close();
  const bytes = readFileSync(file);
  bytes.fill(0xff, 16_384 * 3, 16_384 * 8);
  writeFileSync(file, bytes);
  const { exchanges, notice } = readUnchanged();
  expect(exchanges).toBeGreaterThan(100);
  expect(notice).toContain('is damaged');
});

test('what the user removed and marked stays so in a damaged file', async () => {
  await (await recorded(2000)).close();
  removeExchanges(file, [1, 2]);
  markExchanges(file, [3], { pinned: true, colour: 'red', note: 'this one' });
  const bytes = readFileSync(file);
  bytes.fill(0xff, 16_384 * 12, 16_384 * 14);
  writeFileSync(file, bytes);
  using read = closing(new SessionReader(file));
  expect(read.it.page(0, 1).rows[0]?.id).toBe(3);
  read.it.exchanges(read.it.page(0, 5000).rows, new ConnectionCache());
  expect(read.it.info().notice).toContain('is damaged');
  expect(read.it.edits()).toEqual({
    removed: [
      { first: 1, last: 1 },
      { first: 2, last: 2 },
    ],
    marks: [{ id: 3, mark: { pinned: true, colour: 'red', note: 'this one' } }],
  });
});

function changed(sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

test.each([
  [
    'of a newer version',
    'PRAGMA user_version = 99',
    'it was written by a newer version of Roundtrip: update Roundtrip',
  ],
  ['of another program', 'PRAGMA application_id = 7', 'it is a database of another program'],
])('a file %s', async (_what, sql, sentence) => {
  await (await recorded(1)).close();
  changed(sql);
  expect(() => new SessionReader(file)).toThrow(`The session file ${file} cannot be opened: ${sentence}`);
});

test.each([
  ['no database', 'hello, this is a text', 'it is not a session file'],
  ['empty', '', 'it is empty'],
  ['only a header', 'SQLite format 3\0', 'it was cut short, and none of it can be read'],
])('a file that is %s', (_what, content, sentence) => {
  writeFileSync(file, content);
  expect(() => new SessionReader(file)).toThrow(`${sentence}.`);
});

test('a missing file', () => {
  expect(() => new SessionReader(file)).toThrow('there is no such file.');
});

test('a locked file', async () => {
  await (await recorded(1)).close();
  const other = new DatabaseSync(file);
  other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  // Another program's lock does not matter to a reader that never changes the file.
  using read = closing(new SessionReader(file));
  expect(read.it.info().exchanges).toBe(1);
  other.close();
});

test('a session on a read-only disk is read, and refused as the place of a recording', async (context) => {
  const disk = smallDisk(4);
  if (disk === null) return context.skip('this user may not mount a file system');
  folder = disk.folder;
  file = path.join(folder, 'a.roundtrip');
  await (await recorded(3)).close();
  disk.makeReadOnly();
  expect(readUnchanged()).toEqual({ exchanges: 3, notice: undefined });
  expect(() => SessionWriter.open(file)).toThrow('read-only');
});

test('a crashed session on a read-only disk is read, although the lock of its recorder is there', async (context) => {
  const disk = smallDisk(4);
  if (disk === null) return context.skip('this user may not mount a file system');
  const recorder = await recorded(3);
  await recorder.flush();
  const crashed = path.join(disk.folder, 'b.roundtrip');
  for (const suffix of ['', '-wal', '-lock']) copyFileSync(file + suffix, crashed + suffix);
  await recorder.close();
  disk.makeReadOnly();
  folder = disk.folder;
  file = crashed;
  expect(readUnchanged()).toEqual({ exchanges: 3, notice: undefined });
});

test('a crashed session is read through a link with its log', async () => {
  const recorder = await recorded(3);
  await recorder.flush();
  const crashed = path.join(temporaryFolder(), 'b.roundtrip');
  for (const suffix of ['', '-wal']) copyFileSync(file + suffix, crashed + suffix);
  await recorder.close();
  const link = path.join(temporaryFolder(), 'link.roundtrip');
  symlinkSync(crashed, link);
  expect(lookAtSession(link)).toMatchObject({ ended: 'recovered', exchanges: 3 });
  using read = closing(new SessionReader(link));
  expect(read.it.info().exchanges).toBe(3);
});

test.skipIf(process.platform === 'win32')('a pipe is refused: opening it would wait for its other end', () => {
  spawnSync('mkfifo', [file]);
  expect(() => new SessionReader(file)).toThrow('it is not a regular file.');
  expect(() => formatOf(file)).toThrow('it is not a regular file.');
});

/** Overwrites the pages of the file that have a newer version in its log. */
function overwriteFormerPages(): void {
  const log = readFileSync(`${file}-wal`);
  const bytes = readFileSync(file);
  for (let frame = 32; frame < log.length; frame += 24 + 16_384) {
    const page = log.readUInt32BE(frame);
    bytes.fill(0xff, (page - 1) * 16_384, page * 16_384);
  }
  writeFileSync(file, bytes);
}

test('a file that another process begins to record into is not taken for a damaged one', async () => {
  await (await recorded(500)).close();
  using read = closing(new SessionReader(file));
  expect(read.it.follows).toBe(false);
  const recorder = await recorded(1);
  await recorder.flush();
  overwriteFormerPages();
  const body = Buffer.concat([...read.it.bodyPieces(500, 'response')]);
  expect([body.length, read.it.follows, read.it.info().notice]).toEqual([2000, true, undefined]);
  expect(read.it.info().exchanges).toBe(501);
  await recorder.close();
});

test('a closed file that another process changes is not taken for a damaged one', async () => {
  await (await recorded(500)).close();
  using read = closing(new SessionReader(file));
  // The rows that stay move to the beginning of the file.
  changed('DELETE FROM body_start WHERE body < 980; DELETE FROM detail WHERE exchange < 490; VACUUM');
  const body = Buffer.concat([...read.it.bodyPieces(500, 'response')]);
  expect([body.length, read.it.follows, read.it.info().notice]).toEqual([2000, false, undefined]);
});

test('an older session is refused where the temporary folder is full', (context) => {
  const disk = smallDisk(1);
  if (disk === null) return context.skip('this user may not mount a file system');
  writeOldSession(file, 2, [exampleExchange()]);
  writeFileSync(path.join(disk.folder, 'filler'), Buffer.alloc(1024 * 1024));
  vi.stubEnv('TMPDIR', disk.folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(() => new SessionReader(file)).toThrow(
    `The session file ${file} cannot be opened: it must be copied to the temporary folder to be read, and ` +
      'that disk is full.',
  );
});

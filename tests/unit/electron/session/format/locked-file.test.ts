import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { SessionCatalog } from '../../../../../electron/session/catalog/session-catalog.ts';
import { copyLocked } from '../../../../../electron/session/format/locked-file.ts';
import { DatabaseSync } from '../../../../../electron/session/format/sqlite.ts';
import { formatOf } from '../../../../../electron/session/import/file-format.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { copySession } from '../../../../../electron/session/write/session-copy.ts';
import { takeNameBeside } from '../../../../../electron/session/write/session-move.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** How many locks other processes find on the file. */
function locksOn(file: string): number {
  const { ino } = fs.statSync(file);
  return fs.readFileSync('/proc/locks', 'utf8').match(new RegExp(`:${ino} .*`, 'g'))?.length ?? 0;
}

async function recording() {
  const data = temporaryFolder();
  const file = path.join(data, 'sessions', 'a.roundtrip');
  fs.mkdirSync(path.dirname(file));
  const recorder = await startRecorder(file);
  record(recorder, exampleExchange({ id: recorder.nextExchangeId() }), {
    response: Buffer.alloc(3_000_000, 'a body, '),
  });
  await recorder.flush();
  return { data, file, recorder };
}

/** A session that this process followed, and that was changed after its recording: the log stays. */
async function followed() {
  const { data, file, recorder } = await recording();
  const reader = new SessionReader(file);
  await recorder.close();
  const other = new DatabaseSync(file);
  other.exec('UPDATE session SET created_at = created_at + 1');
  other.close();
  expect([reader.follows, fs.existsSync(`${file}-wal`), locksOn(file)]).toEqual([true, true, 1]);
  return { data, file, reader };
}

describe.skipIf(!fs.existsSync('/proc/locks'))('other processes find our locks on a session file after', () => {
  test('its format was looked at while it is recorded', async () => {
    const { file, recorder } = await recording();
    const before = locksOn(file);
    expect([formatOf(file), before]).toEqual(['roundtrip', 1]);
    expect(locksOn(file)).toBe(1);
    await recorder.close();
  });

  test('another reader of this process opened it', async () => {
    const { file, reader } = await followed();
    const other = new SessionReader(file);
    expect([other.info().exchanges, locksOn(file)]).toEqual([1, 1]);
    other.close();
    expect(locksOn(file)).toBe(1);
    reader.close();
  });

  test('it was listed, and copied', async () => {
    const { data, file, reader } = await followed();
    const catalog = new SessionCatalog(data);
    expect(await catalog.list()).toMatchObject([{ path: file, exchanges: 1 }]);
    expect(locksOn(file)).toBe(1);
    const copy = await catalog.duplicate(file);
    expect(locksOn(file)).toBe(1);
    reader.close();
    const read = new SessionReader(copy);
    expect([...read.bodyPieces(1, 'response')].reduce((sum, { length }) => sum + length, 0)).toBe(3_000_000);
    read.close();
  });

  test('a writer opened it again', async () => {
    const { file, reader } = await followed();
    const writer = SessionWriter.open(file);
    // SQLite asks the system only for the first lock of a process.
    expect(locksOn(file)).toBe(1);
    writer.close();
    reader.close();
  });

  test('what another program left of it was copied', async () => {
    const { file, reader } = await followed();
    const writer = SessionWriter.open(file);
    fs.truncateSync(`${file}-wal`, 10_000);
    const target = takeNameBeside(file);
    copySession(writer, file, target, 'damaged');
    expect(locksOn(file)).toBe(1);
    writer.abandon('damaged');
    reader.close();
  });
});

test('a copy by a descriptor that is already open is the whole file', async () => {
  const folder = temporaryFolder();
  const [file, copy] = [path.join(folder, 'a'), path.join(folder, 'b')];
  const database = new DatabaseSync(file);
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE one (bytes BLOB)');
  for (let count = 0; count < 5; count += 1) database.exec('INSERT INTO one VALUES (randomblob(999999))');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  copyLocked(file, copy);
  expect(fs.readFileSync(copy).equals(fs.readFileSync(file))).toBe(true);
  database.close();
});

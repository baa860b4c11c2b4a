import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Tally } from '../../../../../electron/engine/record/tally.ts';
import { RoundtripError } from '../../../../../electron/failures/errors.ts';
import { pushExchange } from '../../../../../electron/session/format/exchange-cells.ts';
import { isBeingRecorded } from '../../../../../electron/session/format/lock-file.ts';
import { APPLICATION_ID, pragmaNumber } from '../../../../../electron/session/format/session-schema.ts';
import type { WriteBatch } from '../../../../../electron/session/format/writer-protocol.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import type { Exchange } from '../../../../../shared/model/exchange.ts';
import { summaryRow } from '../../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, connectWriter, record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function batchOf(...exchanges: Exchange[]): WriteBatch {
  const batch: WriteBatch = {
    kind: 'batch',
    ...{ exchanges: [], details: [], connections: [], messages: [], pieces: [], slabs: [] },
  };
  for (const exchange of exchanges) {
    pushExchange(batch, exchange, JSON.stringify(summaryRow(exchange)));
  }
  return batch;
}

function refusalOf(work: () => unknown): RoundtripError {
  try {
    work();
  } catch (error) {
    if (error instanceof RoundtripError) return error;
    throw error;
  }
  throw new Error('It did not throw.');
}

function temporaryFile(): string {
  return join(temporaryFolder(), 'a.roundtrip');
}

describe('opening', () => {
  test('a new file has a session id, is readable only by its owner, and starts at 1', () => {
    const path = temporaryFile();
    const writer = SessionWriter.open(path);
    expect(writer.session).toMatchObject({ path, nextExchangeId: 1, nextConnectionId: 1 });
    writer.close();
    const database = new DatabaseSync(path);
    expect(pragmaNumber(database, 'application_id')).toBe(APPLICATION_ID);
    expect(pragmaNumber(database, 'user_version')).toBe(4);
    database.close();
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o077).toBe(0);
    expect(existsSync(`${path}-lock`)).toBe(false);
  });

  test('an existing file is appended to: same session, ids continue', () => {
    const path = temporaryFile();
    const first = SessionWriter.open(path);
    first.apply(batchOf(exampleExchange({ id: 41 })));
    first.close();
    const second = SessionWriter.open(path);
    expect(second.session).toMatchObject({ sessionId: first.session.sessionId, nextExchangeId: 42 });
    second.close();
  });

  test('exchanges that a killed writer left open are failed with engine.stopped', () => {
    const path = temporaryFile();
    const first = SessionWriter.open(path);
    first.apply(batchOf(exampleExchange({ id: 1, state: 'open', revision: 5 }), exampleExchange({ id: 2 })));
    using reader = closing(new SessionReader(path));
    expect(reader.it.get(1).state).toBe('open');
    first.close();
    expect(reader.it.get(1)).toMatchObject({ state: 'failed', revision: 6, failure: { code: 'engine.stopped' } });
    expect(reader.it.page(0, 10).rows.map((row) => row.failureCode)).toEqual(['engine.stopped', null]);
    expect(reader.it.get(2)).toMatchObject({ state: 'complete', failure: null });
  });

  test('a damaged row does not keep the others open, nor the session from being appended to', () => {
    const path = temporaryFile();
    const first = SessionWriter.open(path);
    first.apply(batchOf(...[1, 2, 3].map((id) => exampleExchange({ id, state: 'open' }))));
    const other = new DatabaseSync(path);
    other.exec("UPDATE detail SET row = 'x' WHERE exchange = 1; UPDATE exchange SET row = 'x' WHERE id = 2");
    other.close();
    first.close();
    SessionWriter.open(path).close();
    using reader = closing(new SessionReader(path));
    expect(reader.it.get(3)).toMatchObject({ state: 'failed', failure: { code: 'engine.stopped' } });
  });

  test.each([
    [
      'garbage',
      (path: string) => writeFileSync(path, 'This is a letter, not a session. '.repeat(100)),
      /it is not a session file/,
    ],
    ['another program’s database', makeForeignDatabase, /another program/],
    ['a newer version’s file', makeNewerSession, /newer version/],
    ['a missing folder', () => {}, /open/],
  ])('%s is refused with session.open-failed and left alone', (name, make, reason) => {
    const path = name === 'a missing folder' ? join(temporaryFolder(), 'none', 'a.roundtrip') : temporaryFile();
    make(path);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    const refusal = refusalOf(() => SessionWriter.open(path));
    expect(refusal.code).toBe('session.open-failed');
    expect(refusal.message).toMatch(reason);
    expect(refusal.message).toContain(path);
    expect(statSync(path, { throwIfNoEntry: false })?.size).toBe(size);
    expect(refusalOf(() => new SessionReader(path)).code).toBe('session.open-failed');
  });

  test('a second writer is refused while the first one lives, in this process and in another', async () => {
    const path = temporaryFile();
    const holder = spawn(process.execPath, ['-e', HOLD_LOCK, path], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    const refusal = refusalOf(() => SessionWriter.open(path));
    expect(refusal.code).toBe('session.open-failed');
    expect(refusal.message).toContain('another Roundtrip is recording into it');
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    const writer = SessionWriter.open(path);
    expect(refusalOf(() => SessionWriter.open(path)).message).toContain('another Roundtrip');
    writer.close();
    SessionWriter.open(path).close();
  });

  test('two names of one file are one session: a link and the file that it leads to', () => {
    const path = temporaryFile();
    const link = join(temporaryFolder(), 'link.roundtrip');
    symlinkSync(path, link);
    const writer = SessionWriter.open(link);
    for (const name of [path, link])
      expect(refusalOf(() => SessionWriter.open(name)).message).toContain('another Roundtrip is recording into it');
    expect(writer.fate()).toBe('there');
    using reader = closing(new SessionReader(link));
    expect(reader.it.follows).toBe(true);
    writer.apply(batchOf(exampleExchange()));
    expect(reader.it.info()).toMatchObject({ exchanges: 1, bytes: statSync(path).size + statSync(`${path}-wal`).size });
    writer.close();
  });

  test('whoever looks whether a session is recorded does not take another one that looks for its recorder', () => {
    const path = temporaryFile();
    const looker = new DatabaseSync(`${path}-lock`);
    looker.exec('BEGIN; SELECT 1 FROM sqlite_master');
    expect(isBeingRecorded(path)).toBe(false);
    looker.close();
    const writer = SessionWriter.open(path);
    expect(isBeingRecorded(path)).toBe(true);
    writer.close();
  });

  test('an emptied file whose log holds the session is refused: SQLite would remove the log', () => {
    const path = temporaryFile();
    writeFileSync(path, '');
    writeFileSync(`${path}-wal`, 'frames');
    expect(refusalOf(() => SessionWriter.open(path)).message).toContain('it is empty, but its log (-wal) is not');
    expect(readFileSync(`${path}-wal`, 'utf8')).toBe('frames');
  });

  test('a read-only file is refused in one sentence', ({ skip }) => {
    const path = temporaryFile();
    SessionWriter.open(path).close();
    // Root may write to any file, but not to one that is mounted as read-only.
    if (spawnSync('mount', ['--bind', path, path]).status !== 0) return skip('may not mount a file system');
    onTestFinished(() => void spawnSync('umount', ['-l', path]));
    spawnSync('mount', ['-o', 'remount,bind,ro', path]);
    expect(refusalOf(() => SessionWriter.open(path)).message).toBe(
      `The session file ${path} cannot be opened: it is read-only.`,
    );
  });

  test('links that lead in a circle, and names without room for those of the side files', () => {
    const loop = temporaryFile();
    symlinkSync('a.roundtrip', loop);
    const long = join(temporaryFolder(), `${'a'.repeat(240)}.roundtrip`);
    expect(refusalOf(() => SessionWriter.open(loop)).message).toContain('opened: its links lead in a circle.');
    expect(refusalOf(() => new SessionReader(loop)).message).toContain('opened: its links lead in a circle.');
    expect(refusalOf(() => SessionWriter.open(long)).message).toContain('opened: its name is too long.');
  });

  test('the port rejects with the refusal', async () => {
    const path = temporaryFile();
    writeFileSync(path, 'x'.repeat(5000));
    await expect(connectWriter(path)).rejects.toMatchObject({ code: 'session.open-failed' });
  });
});

/** What SessionLock does, in a separate process. */
const HOLD_LOCK = `
  const { DatabaseSync } = require('node:sqlite');
  const lock = new DatabaseSync(process.argv[1] + '-lock');
  lock.exec('BEGIN EXCLUSIVE');
  console.log('held');
  process.stdin.resume();
`;

function makeForeignDatabase(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('CREATE TABLE bookmarks (url TEXT)');
  database.close();
}

function makeNewerSession(path: string): void {
  SessionWriter.open(path).close();
  const database = new DatabaseSync(path);
  database.exec('PRAGMA user_version = 99');
  database.close();
}

describe('a write that fails', () => {
  test('throws session.write-failed, leaves the file as it was, and the next may succeed', () => {
    const path = temporaryFile();
    const writer = SessionWriter.open(path);
    writer.apply(batchOf(exampleExchange({ id: 1 })));
    const broken = batchOf(exampleExchange({ id: 2 }));
    broken.details.splice(0, 1, 'two');
    expect(refusalOf(() => writer.apply(broken)).code).toBe('session.write-failed');
    writer.apply(batchOf(exampleExchange({ id: 3 })));
    using reader = closing(new SessionReader(path));
    expect(reader.it.page(0, 10).rows.map((row) => row.id)).toEqual([1, 3]);
    writer.close();
  });

  test('is reported once and retried until it succeeds: nothing is lost', async () => {
    const path = temporaryFile();
    const writer = await connectWriter(path);
    const recorder = await startRecorder(path, { writer });
    const troubles: (string | null)[] = [];
    const over = new Promise<void>((resolve) => {
      writer.onTrouble = (failure) => {
        troubles.push(failure?.code ?? null);
        if (failure === null) resolve();
      };
    });
    const blocker = new DatabaseSync(path);
    blocker.exec(
      "CREATE TRIGGER full BEFORE INSERT ON detail BEGIN SELECT raise(FAIL, 'database or disk is full'); END",
    );
    for (let n = 0; n < 3; n++) {
      record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
      await recorder.flush();
    }
    expect(troubles).toEqual(['session.write-failed']);
    blocker.exec('DROP TRIGGER full');
    blocker.close();
    await over;
    record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
    await recorder.flush();
    using reader = closing(new SessionReader(path));
    expect(reader.it.page(0, 10).rows.map((row) => row.id)).toEqual([1, 2, 3, 4]);
    expect(troubles).toEqual(['session.write-failed', null]);
    await recorder.close();
  });

  test('of its rows loses only these, and delays nothing', async () => {
    const path = temporaryFile();
    const writer = await connectWriter(path);
    const tally = new Tally();
    const recorder = await startRecorder(path, { writer, tally });
    const refused: string[] = [];
    recorder.onRefused = ({ code }) => refused.push(code);
    record(recorder, exampleExchange({ id: 'no number' as unknown as number }));
    await recorder.flush();
    record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
    await recorder.flush();
    using reader = closing(new SessionReader(path));
    expect(reader.it.page(0, 10).rows.map((row) => row.id)).toEqual([1]);
    expect([refused, tally.lost, tally.waiting]).toEqual([['session.write-failed'], 1, 0]);
    await recorder.close();
  });
});

import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { SessionHome } from '../../../../../../electron/commands/services/session-home.ts';
import { RunningWork } from '../../../../../../electron/files/running-work.ts';
import { lookAtSession } from '../../../../../../electron/session/catalog/look-at-session.ts';
import { DatabaseSync } from '../../../../../../electron/session/format/sqlite.ts';
import { openSource } from '../../../../../../electron/session/import/open-source.ts';
import { SessionReader } from '../../../../../../electron/session/read/session-reader.ts';
import { SessionWriter } from '../../../../../../electron/session/write/session-writer.ts';
import { exampleExchange } from '../../../../../support/example-exchange.ts';
import { closing, record, startRecorder } from '../../../../../support/recording.ts';
import { temporaryFolder } from '../../../../../support/temporary-folder.ts';

const FRAME = 24 + 16_384;
const LOSS = expect.stringContaining(
  'the log (-wal) that it left is damaged: the exchanges recorded last may be missing',
);

let crashed: string;

/** Copies the files of a session that is being recorded: what a recorder leaves that is killed now. */
function kill(file: string): void {
  for (const suffix of ['', '-wal']) fs.copyFileSync(file + suffix, crashed + suffix);
}

beforeEach(async () => {
  crashed = path.join(temporaryFolder(), 'crashed.roundtrip');
  const file = path.join(temporaryFolder(), 'a.roundtrip');
  const recorder = await startRecorder(file);
  for (let count = 0; count < 20; count += 1) {
    record(recorder, exampleExchange({ id: recorder.nextExchangeId() }), { response: Buffer.alloc(50_000, count) });
    await recorder.flush();
  }
  kill(file);
  await recorder.close();
});

/** What the list says, and what opening the session says. */
function said() {
  const { ended, exchanges, problem } = lookAtSession(crashed);
  using reader = closing(new SessionReader(crashed));
  const { notice = null, exchanges: shown } = reader.it.info();
  return { ended, exchanges, problem, notice, shown };
}

function damage(change: (log: Buffer) => Buffer): void {
  fs.writeFileSync(`${crashed}-wal`, change(fs.readFileSync(`${crashed}-wal`)));
}

test('a log that a killed recorder left whole: nothing is missing', () => {
  expect(said()).toEqual({ ended: 'recovered', exchanges: 20, problem: null, notice: null, shown: 20 });
});

test.each([
  ['its middle', (log: Buffer) => log.fill(7, log.length / 2, log.length / 2 + 100)],
  ['its end', (log: Buffer) => log.fill(7, log.length - 20_000)],
  ['its second half, zeroed', (log: Buffer) => log.fill(0, log.length / 2)],
])('a log with garbage at %s: what follows may be missing', (_where, change) => {
  damage(change);
  const { exchanges, ...rest } = said();
  expect(rest).toEqual({ ended: 'recovered', problem: LOSS, notice: LOSS, shown: exchanges });
  expect(exchanges).toBeLessThan(20);
  expect(exchanges).toBeGreaterThan(0);
});

test('one bit of the last frame', () => {
  damage((log) => {
    log.writeUInt8(log.readUInt8(log.length - 1) ^ 1, log.length - 1);
    return log;
  });
  expect(said()).toMatchObject({ problem: LOSS, notice: LOSS });
});

test('the head of the log: all of it is lost', () => {
  damage((log) => log.fill(7, 0, 32));
  expect(said()).toMatchObject({ problem: LOSS, notice: LOSS });
});

test('the last write was cut by the end of the process: nothing that was recorded is missing', () => {
  damage((log) => Buffer.concat([log, log.subarray(log.length - FRAME, log.length - 5000)]));
  expect(said()).toMatchObject({ exchanges: 20, problem: null, notice: null });
});

test('a transaction that was not committed is not missing', async () => {
  const file = path.join(temporaryFolder(), 'b.roundtrip');
  await (await startRecorder(file)).close();
  const database = new DatabaseSync(file);
  // So small a cache writes pages to the log before the transaction ends.
  database.exec('PRAGMA cache_size = 1; BEGIN; CREATE TABLE other (bytes BLOB)');
  for (let count = 0; count < 50; count += 1) database.exec('INSERT INTO other VALUES (randomblob(20000))');
  kill(file);
  database.close();
  expect(fs.statSync(`${crashed}-wal`).size).toBeGreaterThan(20 * FRAME);
  expect(said()).toEqual({ ended: 'recovered', exchanges: 0, problem: null, notice: null, shown: 0 });
});

test('what a failed transaction left behind a shorter one is not missing', async () => {
  const file = path.join(temporaryFolder(), 'b.roundtrip');
  await (await startRecorder(file)).close();
  const database = new DatabaseSync(file);
  database.exec('CREATE TABLE other (bytes BLOB); PRAGMA cache_size = 1; BEGIN');
  for (let count = 0; count < 50; count += 1) database.exec('INSERT INTO other VALUES (randomblob(20000))');
  database.exec("ROLLBACK; INSERT INTO other VALUES ('short')");
  kill(file);
  database.close();
  expect(fs.statSync(`${crashed}-wal`).size).toBeGreaterThan(20 * FRAME);
  expect(said()).toMatchObject({ ended: 'recovered', problem: null, notice: null });
});

test('frames from before the log began again are not missing', async () => {
  const file = path.join(temporaryFolder(), 'b.roundtrip');
  const recorder = await startRecorder(file);
  const one = async () => {
    record(recorder, exampleExchange({ id: recorder.nextExchangeId() }), { response: Buffer.alloc(50_000, 1) });
    await recorder.flush();
  };
  for (let count = 0; count < 10; count += 1) await one();
  const other = new DatabaseSync(file);
  other.exec('PRAGMA wal_checkpoint(RESTART)');
  other.close();
  const { size } = fs.statSync(`${file}-wal`);
  await one();
  kill(file);
  await recorder.close();
  expect(fs.statSync(`${crashed}-wal`).size).toBe(size);
  expect(said()).toMatchObject({ exchanges: 11, problem: null, notice: null });
});

test('a file that was emptied is read from its log', async () => {
  fs.truncateSync(crashed);
  expect(said()).toMatchObject({ exchanges: 20, notice: null });
  const link = `${crashed}-link`;
  fs.symlinkSync(crashed, link);
  for (const source of [crashed, link]) {
    const opened = await openSource(source);
    expect(opened.reader.info()).toMatchObject({ exchanges: 20 });
    await opened.close();
  }
});

test.each([
  [(log: Buffer) => log.fill(0, log.length / 2), LOSS],
  [(log: Buffer) => log, undefined],
])('a session that is continued says what its log lost, which its recorder then removes', async (change, notice) => {
  damage(change);
  const work = new RunningWork();
  const recordInto = async (file: string) => {
    SessionWriter.open(file).close();
    return { id: 's', path: file, exchanges: 0, bytes: 0 };
  };
  const none = () => expect.fail('it only records');
  const home = new SessionHome({
    ...{ dataFolder: path.dirname(crashed), threadFolder: '', work, open: none, close: none },
    list: async () => [],
    recordInto,
  });
  expect((await home.record(crashed)).notice).toEqual(notice);
  expect(said()).toMatchObject({ problem: null, notice: null });
});

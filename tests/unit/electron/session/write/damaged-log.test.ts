import fs from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Tally } from '../../../../../electron/engine/record/tally.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { isLogIntact } from '../../../../../electron/session/write/session-log.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, connectWriter, record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const BODY = 400_000;
const EXCHANGES = 30;

/** Other bytes each time: a page can't take another one's place unnoticed. */
const bodyOf = (id: number): Buffer => Buffer.alloc(BODY, `body of ${id}, `);

/** A session that is being recorded, with more in its log than SQLite keeps in memory. */
async function recording(exchanges = EXCHANGES) {
  const path = join(temporaryFolder(), 'a.roundtrip');
  const writer = await connectWriter(path);
  const moves: { path: string; message: string; whole: boolean }[] = [];
  writer.onMoved = (to, { message }, whole) => void moves.push({ path: to, message, whole });
  const tally = new Tally();
  const recorder = await startRecorder(path, { writer, tally });
  const one = async () => {
    const id = recorder.nextExchangeId();
    record(recorder, exampleExchange({ id }), { response: bodyOf(id) });
    await recorder.flush();
  };
  for (let count = 0; count < exchanges; count += 1) await one();
  return { path, log: `${path}-wal`, recorder, tally, moves, one };
}

/** The ids of the exchanges in the file, each of which has its body. */
function wholeIn(path: string): number[] {
  using reader = closing(new SessionReader(path));
  const ids = reader.it.page(0, 1000).rows.map(({ id }) => id);
  return ids.filter((id) => Buffer.concat([...reader.it.bodyPieces(id, 'response')]).equals(bodyOf(id)));
}

function overwrite(file: string, position: number, bytes: Buffer): void {
  const descriptor = fs.openSync(file, 'r+');
  fs.writeSync(descriptor, bytes, 0, bytes.length, position);
  fs.closeSync(descriptor);
}

test.skipIf(!fs.existsSync('/proc/locks'))('a watched session stays locked for other processes', async () => {
  const { path, recorder, one } = await recording(1);
  const { ino } = fs.statSync(`${path}-shm`);
  const locks = () => fs.readFileSync('/proc/locks', 'utf8').match(new RegExp(`:${ino} .*`, 'g'));
  expect(locks()).toHaveLength(1);
  await one();
  expect(locks()).toHaveLength(1);
  await recorder.close();
});

test('a log is intact until one bit of a frame that SQLite counts on changes', async () => {
  const { path, log, recorder } = await recording(3);
  const copy = join(temporaryFolder(), 'a.roundtrip');
  const bytes = fs.readFileSync(log);
  // The log has no checkpoint behind it: all of its frames are in use.
  const isIntact = (session: string) => isLogIntact(session, (bytes.length - 32) / (24 + 16_384));
  expect(isIntact(path)).toBe(true);
  const damaged = (change: (bytes: Buffer) => Buffer) => {
    fs.writeFileSync(`${copy}-wal`, change(Buffer.from(bytes)));
    return !isIntact(copy);
  };
  const flipped = (at: number) =>
    damaged((all) => {
      all.writeUInt8(all.readUInt8(at) ^ 1, at);
      return all;
    });
  expect(damaged((all) => all)).toBe(false);
  for (const at of [0, 16, 24, 32, 40, 48, 32 + 24 + 5000, bytes.length - 1]) expect(flipped(at), `${at}`).toBe(true);
  for (const length of [0, 31, bytes.length - 1]) expect(damaged((all) => all.subarray(0, length))).toBe(true);
  // What follows the last frame is of no account: the log begins again after a checkpoint, and keeps its length.
  expect(damaged((all) => Buffer.concat([all, Buffer.alloc(20_000, 1)]))).toBe(false);
  await recorder.close();
});

test.each([
  ['truncated to a half', (log: string) => fs.truncateSync(log, fs.statSync(log).size / 2)],
  ['emptied', (log: string) => fs.truncateSync(log, 0)],
  [
    'overwritten from its middle on',
    (log: string) => {
      const half = Math.floor(fs.statSync(log).size / 2);
      overwrite(log, half, Buffer.alloc(half, 7));
    },
  ],
])('a log that is %s: the session continues in a new file, and what is missing is counted', async (_how, damage) => {
  const { path, log, recorder, tally, moves } = await recording();
  damage(log);
  await recorder.close();
  const target = path.replace('.roundtrip', '-2.roundtrip');
  const kept = wholeIn(target);
  expect(moves.map((move) => move.path)).toEqual([target]);
  expect(moves.map((move) => move.whole)).toEqual([false]);
  expect([tally.lost, tally.waiting]).toEqual([EXCHANGES - kept.length, 0]);
});

test('what follows a truncation is recorded, too', async () => {
  const { path, log, recorder, one } = await recording();
  fs.truncateSync(log, fs.statSync(log).size / 2);
  const target = path.replace('.roundtrip', '-2.roundtrip');
  // Once a second, the writer looks at its files.
  await expect.poll(() => fs.existsSync(target), { timeout: 30_000 }).toBe(true);
  await one();
  await recorder.close();
  expect(wholeIn(target).at(-1)).toBe(EXCHANGES + 1);
});

test('a log that is removed or replaced loses nothing', async () => {
  const { path, log, recorder, tally, moves } = await recording();
  const other = `${log}.other`;
  fs.writeFileSync(other, Buffer.alloc(fs.statSync(log).size, 7));
  fs.renameSync(other, log);
  await recorder.close();
  expect(wholeIn(path.replace('.roundtrip', '-2.roundtrip'))).toHaveLength(EXCHANGES);
  expect([tally.lost, moves.map(({ whole }) => whole)]).toEqual([0, [true]]);
});

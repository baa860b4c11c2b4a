import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Recorder } from '../../../../../electron/engine/record/recorder.ts';
import { Tally } from '../../../../../electron/engine/record/tally.ts';
import { SLAB_BYTES } from '../../../../../electron/session/format/slab-size.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { summaryOf } from '../../../../../shared/model/exchange-summary.ts';
import { EXAMPLE_UPSTREAM, exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, connectWriter, record, startRecorder, trouble } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

let folder: string;
let path: string;
let recorder: Recorder;
let reader: SessionReader;

beforeEach(async () => {
  folder = temporaryFolder();
  path = join(folder, 'a.roundtrip');
  recorder = await startRecorder(path);
  reader = new SessionReader(path);
});

afterEach(async () => {
  reader.close();
  await recorder.close();
});

function bodyOf(id: number, side: 'request' | 'response'): Buffer {
  return Buffer.concat([...reader.bodyPieces(id, side)].map((piece) => Buffer.from(piece)));
}

/** Bytes that differ at every place that a mistake could swap. */
function patterned(length: number, seed = 1): Uint8Array {
  return Uint8Array.from({ length }, (_, index) => (index * 31 + (index >> 8) * seed) & 0xff);
}

describe('rows', () => {
  test('an exchange is read back as it ended, with its connections and attempts', async () => {
    const refused = {
      code: 'upstream.refused',
      side: 'upstream' as const,
      message: 'No.',
      cause: 'ECONNREFUSED',
    };
    const exchange = exampleExchange({
      id: recorder.nextExchangeId(),
      attempts: [
        { startedAfter: 0, duration: 3, connection: null, failure: refused, retryReason: 'connect-refused' },
        {
          startedAfter: 3,
          duration: 9.5,
          connection: { ...EXAMPLE_UPSTREAM, reused: true },
          failure: null,
          retryReason: null,
        },
      ],
      response: { informational: [{ status: 103, statusText: 'Early Hints', headers: ['Link', '</a>'] }] },
    });
    record(recorder, exchange);
    await recorder.flush();
    expect(reader.get(exchange.id)).toEqual(exchange);
  });

  test('an open exchange is written in its current state, and a later version replaces it', async () => {
    const exchange = exampleExchange({ id: recorder.nextExchangeId(), state: 'open', response: null });
    recorder.changed(exchange);
    await recorder.flush();
    expect(reader.get(exchange.id)).toMatchObject({ state: 'open', revision: 1, response: null });
    exchange.state = 'complete';
    exchange.response = exampleExchange().response;
    exchange.revision = 2;
    recorder.ended(exchange);
    await recorder.flush();
    expect(reader.get(exchange.id)).toMatchObject({ state: 'complete', revision: 2, response: { status: 200 } });
    expect(reader.info().exchanges).toBe(1);
  });

  test("a connection's end is written after its exchanges, if it had any", async () => {
    const end = { at: 1000.5, by: 'upstream', why: 'goaway', code: 0, windowBlocked: 1.5 } as const;
    const used = { ...EXAMPLE_UPSTREAM, id: 7 };
    record(recorder, exampleExchange({ id: recorder.nextExchangeId(), upstream: used }));
    await recorder.flush();
    expect(reader.connectionEnds(0, 10)).toEqual([]);
    recorder.connectionEnded('upstream', { ...used, end });
    recorder.connectionEnded('upstream', { ...EXAMPLE_UPSTREAM, id: 8, end });
    // The last exchange of a connection may end after it, with a copy from before.
    record(recorder, exampleExchange({ id: recorder.nextExchangeId(), upstream: used }));
    await recorder.flush();
    expect(reader.connectionEnds(0, 10)).toEqual([{ connection: 7, ...end }]);
    expect(reader.connectionEnds(7, 10)).toEqual([]);
    expect(reader.get(1).upstream?.end).toEqual(end);
  });

  test('what comes while it closes is written, and what comes after the last batch is no trouble', async () => {
    const writer = await connectWriter(join(folder, 'b.roundtrip'));
    const troubles: unknown[] = [];
    writer.onTrouble = (failure) => troubles.push(failure);
    const alone = await startRecorder('', { writer });
    const more = (count: number) => {
      for (let one = 0; one < count; one += 1) record(alone, exampleExchange({ id: alone.nextExchangeId() }));
    };
    const { close, settled } = writer;
    const settles = [() => more(1)];
    writer.settled = async () => {
      settles.shift()?.();
      await settled.call(writer);
    };
    // More than a batch, which is not scheduled but sent at once.
    writer.close = async () => {
      const closed = close.call(writer);
      more(2000);
      return await closed;
    };
    more(1);
    await alone.close();
    expect(troubles).toEqual([]);
    using other = closing(new SessionReader(join(folder, 'b.roundtrip')));
    expect(other.it.info().exchanges).toBe(2);
  });

  test('without a flush, a batch goes out by itself', async () => {
    const writer = await connectWriter(join(folder, 'b.roundtrip'));
    const alone = await startRecorder('', { writer });
    const written = new Promise<void>((resolve) => {
      const { onDone } = writer;
      writer.onDone = (slabs) => {
        onDone(slabs);
        resolve();
      };
    });
    record(alone, exampleExchange({ id: alone.nextExchangeId() }));
    await written;
    using other = closing(new SessionReader(join(folder, 'b.roundtrip')));
    expect(other.it.info().exchanges).toBe(1);
    await alone.close();
  });

  test('more rows than a batch takes all arrive', async () => {
    for (let n = 0; n < 1000; n++) record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
    await recorder.flush();
    expect(reader.page(0, 5000).rows.map((row) => row.id)).toEqual(Array.from({ length: 1000 }, (_, n) => n + 1));
  });

  test('a connection is written once, and again when its TLS is known', async () => {
    const upstream = { ...EXAMPLE_UPSTREAM, tls: null };
    const exchange = exampleExchange({ id: recorder.nextExchangeId(), state: 'open', upstream });
    exchange.attempts = [];
    recorder.changed(exchange);
    await recorder.flush();
    expect(reader.get(exchange.id).upstream?.tls).toBeNull();
    if (exchange.upstream) exchange.upstream.tls = EXAMPLE_UPSTREAM.tls;
    exchange.state = 'complete';
    recorder.ended(exchange);
    await recorder.flush();
    expect(reader.get(exchange.id).upstream?.tls).toEqual(EXAMPLE_UPSTREAM.tls);
  });

  test('onTouched hears of every change, and onEnded of the last, with its row', () => {
    const heard: [string, number][] = [];
    recorder.onTouched = (exchange) => heard.push(['touched', exchange.revision]);
    recorder.onEnded = (_exchange, row) => heard.push(['ended', summaryOf(JSON.parse(row)).revision]);
    record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
    expect(heard).toEqual([
      ['touched', 1],
      ['ended', 2],
    ]);
  });
});

describe('bodies', () => {
  test('both sides are read back byte for byte, even interleaved with another exchange', async () => {
    const one = exampleExchange({ id: recorder.nextExchangeId() });
    const two = exampleExchange({ id: recorder.nextExchangeId() });
    const bytes = patterned(700_001);
    const others = patterned(300_000, 7);
    for (let at = 0; at < bytes.length; at += 16_384) {
      recorder.bodyPiece(one, 'response', bytes.subarray(at, at + 16_384));
      if (at % 3 === 0) recorder.bodyPiece(two, 'request', others.subarray(at, at + 16_384));
    }
    await recorder.flush();
    expect(bodyOf(one.id, 'response').equals(bytes)).toBe(true);
    expect(one.response?.body.stored).toBe(bytes.length);
    expect(reader.bodySize(one.id, 'response')).toBe(bytes.length);
    expect(bodyOf(one.id, 'request').length).toBe(0);
    expect(two.request.body.stored).toBe(bodyOf(two.id, 'request').length);
  });

  test('a piece larger than a slab, and reading from the middle', async () => {
    const exchange = exampleExchange({ id: recorder.nextExchangeId() });
    const bytes = patterned(3 * SLAB_BYTES + 17);
    recorder.bodyPiece(exchange, 'response', bytes);
    await recorder.flush();
    const from = SLAB_BYTES + 5;
    const rest = Buffer.concat([...reader.bodyPieces(exchange.id, 'response', from)]);
    expect(rest.equals(bytes.subarray(from))).toBe(true);
    expect([...reader.bodyPieces(exchange.id, 'response', bytes.length)]).toEqual([]);
  });

  test('the piece is copied: the engine may use its memory again', async () => {
    const exchange = exampleExchange({ id: recorder.nextExchangeId() });
    const piece = Buffer.from('first');
    recorder.bodyPiece(exchange, 'response', piece);
    piece.fill(0);
    await recorder.flush();
    expect(bodyOf(exchange.id, 'response').toString()).toBe('first');
  });
});

describe('a disk that is too slow', () => {
  const limit = 4 * SLAB_BYTES;

  test('drop: the beginning of the body is kept, missing bytes are counted, and the row shows it', async () => {
    const slow = await startRecorder(join(folder, 'slow.roundtrip'), { bodyLimit: limit });
    const exchange = exampleExchange({ id: slow.nextExchangeId() });
    const bytes = patterned(10 * SLAB_BYTES);
    record(slow, exchange, { response: bytes });
    await slow.flush();
    expect(slow.bytesNotKept).toBe(6 * SLAB_BYTES);
    using other = closing(new SessionReader(join(folder, 'slow.roundtrip')));
    expect(other.it.get(exchange.id).response?.body).toMatchObject({ size: bytes.length, stored: limit });
    expect(Buffer.concat([...other.it.bodyPieces(exchange.id, 'response')]).equals(bytes.subarray(0, limit))).toBe(
      true,
    );
    await slow.close();
  });

  test('drop: nothing more of a body that lost bytes is kept, even when there is room again', async () => {
    const slow = await startRecorder(join(folder, 'slow.roundtrip'), { bodyLimit: limit });
    const exchange = exampleExchange({ id: slow.nextExchangeId() });
    slow.bodyPiece(exchange, 'response', patterned(limit + 1));
    await slow.flush();
    slow.bodyPiece(exchange, 'response', patterned(10));
    expect(exchange.response?.body.stored).toBe(limit);
    expect(slow.bytesNotKept).toBe(11);
    await slow.close();
  });

  test('wait: everything is kept, the engine is asked to wait, and called back when there is room', async () => {
    const slow = await startRecorder(join(folder, 'slow.roundtrip'), { bodyLimit: limit, slowDisk: 'wait' });
    const exchange = exampleExchange({ id: slow.nextExchangeId() });
    expect(slow.bodyPiece(exchange, 'response', patterned(limit))).toBe(true);
    expect(slow.bodyPiece(exchange, 'response', patterned(1))).toBe(false);
    await new Promise<void>((resolve) => slow.onDrain(exchange, resolve));
    expect(slow.bodyPiece(exchange, 'response', patterned(1))).toBe(true);
    await slow.flush();
    expect(exchange.response?.body.stored).toBe(limit + 2);
    expect(slow.bytesNotKept).toBe(0);
    await slow.close();
  });

  test('wait, changed to drop while the engine waits: it continues immediately', async () => {
    const slow = await startRecorder(join(folder, 'slow.roundtrip'), { bodyLimit: limit, slowDisk: 'wait' });
    const exchange = exampleExchange({ id: slow.nextExchangeId() });
    slow.bodyPiece(exchange, 'response', patterned(2 * limit));
    let resumed = 0;
    slow.onDrain(exchange, () => {
      resumed += 1;
    });
    expect(resumed).toBe(0);
    slow.slowDisk = 'drop';
    expect(resumed).toBe(1);
    await slow.close();
  });
});

describe('a session file that can not be written', () => {
  test('rows wait up to a limit; those beyond it are counted as lost, which is reported once', async () => {
    const file = join(folder, 'locked.roundtrip');
    const tally = new Tally();
    const writer = await connectWriter(file);
    const slow = await startRecorder(file, { writer, tally, rowLimit: 100_000 });
    let losing = 0;
    slow.onLosing = () => {
      losing += 1;
    };
    const troubles = trouble(writer);
    const locker = new DatabaseSync(file);
    locker.exec('BEGIN IMMEDIATE');
    record(slow, exampleExchange({ id: slow.nextExchangeId() }));
    expect((await troubles.next()).value).toBe('session.write-failed');
    const recorded = 6000;
    for (let n = 1; n < recorded; n += 1) record(slow, exampleExchange({ id: slow.nextExchangeId() }));
    expect(tally.lost).toBeGreaterThan(0);
    expect([tally.waiting + tally.lost, losing]).toEqual([recorded, 1]);
    locker.exec('COMMIT');
    locker.close();
    expect((await troubles.next()).value).toBe(null);
    await slow.flush();
    using other = closing(new SessionReader(file));
    expect(other.it.info().exchanges).toBe(recorded - tally.lost);
    expect(tally.waiting).toBe(0);
    await slow.close();
  });

  test('when cleared while full, waiting rows are discarded and not counted as lost', async () => {
    const file = join(folder, 'locked.roundtrip');
    const tally = new Tally();
    const writer = await connectWriter(file);
    const slow = await startRecorder(file, { writer, tally });
    const troubles = trouble(writer);
    const locker = new DatabaseSync(file);
    locker.exec('BEGIN IMMEDIATE');
    for (let n = 0; n < 1000; n += 1) record(slow, exampleExchange({ id: slow.nextExchangeId() }));
    expect((await troubles.next()).value).toBe('session.write-failed');
    await slow.clear();
    locker.exec('COMMIT');
    locker.close();
    expect((await troubles.next()).value).toBe(null);
    record(slow, exampleExchange({ id: slow.nextExchangeId() }));
    await slow.flush();
    using other = closing(new SessionReader(file));
    expect(other.it.page(0, 10).rows.map((row) => row.id)).toEqual([1001]);
    expect([other.it.sessionId(), tally.waiting, tally.lost]).toEqual([slow.sessionId, 0, 0]);
    await slow.close();
  });
});

describe('clear', () => {
  test('empties the session under another id; earlier exchanges do not return; ids continue', async () => {
    const before = recorder.sessionId;
    const open = exampleExchange({ id: recorder.nextExchangeId(), state: 'open' });
    recorder.changed(open);
    record(recorder, exampleExchange({ id: recorder.nextExchangeId() }), { response: patterned(5000) });
    await recorder.flush();
    const cleared = recorder.clear();
    expect(recorder.sessionId).not.toBe(before);
    recorder.bodyPiece(open, 'response', patterned(100));
    recorder.ended(open);
    const next = exampleExchange({ id: recorder.nextExchangeId() });
    record(recorder, next);
    await cleared;
    await recorder.flush();
    expect(reader.sessionId()).toBe(recorder.sessionId);
    expect(reader.page(0, 10).rows.map((row) => row.id)).toEqual([3]);
    expect(reader.get(next.id).client.remoteAddress).toBe(next.client.remoteAddress);
    expect([...reader.bodyPieces(open.id, 'response')]).toEqual([]);
  });

  test('frees the disk space', async () => {
    record(recorder, exampleExchange({ id: recorder.nextExchangeId() }), { response: patterned(5_000_000) });
    await recorder.flush();
    expect(reader.info().bytes).toBeGreaterThan(5_000_000);
    await recorder.clear();
    expect(reader.info()).toMatchObject({ exchanges: 0 });
    expect(reader.info().bytes).toBeLessThan(200_000);
  });
});

test('everything written before close is in the file afterwards', async () => {
  const alone = await startRecorder(join(folder, 'closed.roundtrip'));
  record(alone, exampleExchange({ id: alone.nextExchangeId() }));
  await alone.close();
  const database = new DatabaseSync(join(folder, 'closed.roundtrip'));
  expect(database.prepare('SELECT count(*) AS n FROM exchange').get()?.n).toBe(1);
  database.close();
});

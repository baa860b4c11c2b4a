import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Recorder } from '../../../../../electron/engine/record/recorder.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import type { Exchange } from '../../../../../shared/model/exchange.ts';
import type { Failure } from '../../../../../shared/model/failure.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, connectWriter, startRecorder, trouble } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const PIECE = Buffer.from('abc');

function messages(to: Recorder, exchange: Exchange, count: number, from = 0): void {
  const same = { side: 'response', at: 1000, opcode: 1, start: 0, stop: 3, size: 1 } as const;
  for (let ordinal = from; ordinal < from + count; ordinal += 1) {
    to.message(exchange, { ...same, ordinal, compressed: false, closeCode: null });
  }
}

describe('a stream of tiny messages', () => {
  test('waits for the writer, other exchanges do not, and all messages are listed', async () => {
    const file = join(temporaryFolder(), 'a.roundtrip');
    const recorder = await startRecorder(file);
    const stream = exampleExchange({ id: recorder.nextExchangeId() });
    const other = exampleExchange({ id: recorder.nextExchangeId() });
    messages(recorder, stream, 150_000);
    messages(recorder, other, 10);
    expect(recorder.bodyPiece(stream, 'response', PIECE)).toBe(false);
    expect(recorder.bodyPiece(other, 'response', PIECE)).toBe(true);
    await new Promise<void>((resolve) => recorder.onDrain(stream, resolve));
    expect(recorder.bodyPiece(stream, 'response', PIECE)).toBe(true);
    await recorder.flush();
    using reader = closing(new SessionReader(file));
    expect([reader.it.messageCount(stream.id), reader.it.messageCount(other.id)]).toEqual([150_000, 10]);
    await recorder.close();
  });

  test('while nothing can be written, it continues; lost ones are counted, and its row shows this', async () => {
    const file = join(temporaryFolder(), 'locked.roundtrip');
    const writer = await connectWriter(file);
    const slow = await startRecorder(file, { writer, messageLimit: 50_000 });
    const reported: Failure[] = [];
    slow.onMessagesLost = (failure) => reported.push(failure);
    const troubles = trouble(writer);
    const locker = new DatabaseSync(file);
    locker.exec('BEGIN IMMEDIATE');
    const stream = exampleExchange({ id: slow.nextExchangeId() });
    messages(slow, stream, 25_000);
    expect(slow.bodyPiece(stream, 'response', PIECE)).toBe(false);
    const resumed = new Promise<void>((resolve) => slow.onDrain(stream, resolve));
    expect((await troubles.next()).value).toBe('session.write-failed');
    await resumed;
    messages(slow, stream, 80_000, 25_000);
    expect(slow.bodyPiece(stream, 'response', PIECE)).toBe(true);
    slow.ended(stream);
    locker.exec('COMMIT');
    locker.close();
    expect((await troubles.next()).value).toBe(null);
    await slow.flush();
    using other = closing(new SessionReader(file));
    const about = other.it.get(stream.id).failure;
    expect(about?.code).toBe('session.messages-lost');
    const lost = Number.parseInt(about?.message ?? '', 10);
    expect(lost).toBeGreaterThan(0);
    expect(other.it.messageCount(stream.id) + lost).toBe(105_000);
    expect(reported).toEqual([about]);
    await slow.close();
  });

  test("with 'wait', it waits for a file that can not be written", async () => {
    const file = join(temporaryFolder(), 'locked.roundtrip');
    const writer = await connectWriter(file);
    const slow = await startRecorder(file, { writer, slowDisk: 'wait' });
    const troubles = trouble(writer);
    const locker = new DatabaseSync(file);
    locker.exec('BEGIN IMMEDIATE');
    const stream = exampleExchange({ id: slow.nextExchangeId() });
    messages(slow, stream, 40_000);
    expect((await troubles.next()).value).toBe('session.write-failed');
    expect(slow.bodyPiece(stream, 'response', PIECE)).toBe(false);
    locker.exec('COMMIT');
    locker.close();
    await new Promise<void>((resolve) => slow.onDrain(stream, resolve));
    await slow.flush();
    using other = closing(new SessionReader(file));
    expect(other.it.messageCount(stream.id)).toBe(40_000);
    await slow.close();
  });
});

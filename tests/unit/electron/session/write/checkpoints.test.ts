import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SLAB_BYTES } from '../../../../../electron/session/format/slab-size.ts';
import type { WriteBatch } from '../../../../../electron/session/format/writer-protocol.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { serveCheckpoints, type ToCheckpoints } from '../../../../../electron/session/write/checkpoint-service.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import { closing } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

const MIB = 1024 * 1024;

/** `slabs` of one response's body, the next ones after those `from`. */
function bodyBatch(from: number, slabs: number): WriteBatch {
  const numbers = Array.from({ length: slabs }, (_, index) => index);
  return {
    kind: 'batch',
    ...{ exchanges: [], details: [], connections: [], messages: [] },
    pieces: numbers.flatMap((slab) => [1, 1, (from + slab) * SLAB_BYTES, slab, 0, SLAB_BYTES]),
    slabs: numbers.map((slab) => new Uint8Array(new SharedArrayBuffer(SLAB_BYTES)).fill(from + slab).buffer),
  };
}

function write(writer: SessionWriter, from: number, bytes: number): void {
  for (let slab = from; slab < from + bytes / SLAB_BYTES; slab += 16) writer.apply(bodyBatch(slab, 16));
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

test('a body stays in the log while it arrives, then moves into the file and frees its disk space', async () => {
  const path = join(temporaryFolder(), 'a.roundtrip');
  const { port1, port2 } = new MessageChannel();
  serveCheckpoints(path, port2);
  const writer = SessionWriter.open(path, { checkpoints: port1 });
  write(writer, 0, 80 * MIB);
  expect(sizeOf(path)).toBeLessThan(MIB);
  await vi.waitFor(() => expect(sizeOf(path)).toBeGreaterThan(80 * MIB), 60_000);
  await vi.waitFor(() => expect(sizeOf(`${path}-wal`)).toBe(0), 60_000);
  writer.apply(bodyBatch(320, 1));
  writer.close();
  await vi.waitFor(() => expect(existsSync(`${path}-wal`)).toBe(false), 60_000);
  using reader = closing(new SessionReader(path));
  expect(reader.it.bodySize(1, 'response')).toBe(321 * SLAB_BYTES);
  expect([...reader.it.bodyPieces(1, 'response', 100 * SLAB_BYTES + 7)][0]?.[0]).toBe(100);
});

test('the log waits during constant traffic, and is checkpointed when it slows down', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const path = join(temporaryFolder(), 'a.roundtrip');
  const { port1, port2 } = new MessageChannel();
  const asked = vi.fn();
  port2.on('message', (message: ToCheckpoints) => message === null && asked());
  const writer = SessionWriter.open(path, { checkpoints: port1 });
  onTestFinished(() => writer.close());
  const turns = () => new Promise((resume) => setImmediate(resume));
  for (let at = 0; at < 80 * MIB; at += 4 * MIB) {
    write(writer, at / SLAB_BYTES, 4 * MIB);
    vi.advanceTimersByTime(250);
    await turns();
  }
  expect([asked.mock.calls.length, sizeOf(path) < MIB]).toEqual([0, true]);
  vi.advanceTimersByTime(250);
  await vi.waitFor(() => expect(asked).toHaveBeenCalledOnce(), 60_000);
});

test('the other thread dies: the log is still checkpointed', async () => {
  const path = join(temporaryFolder(), 'a.roundtrip');
  const { port1, port2 } = new MessageChannel();
  const writer = SessionWriter.open(path, { checkpoints: port1 });
  const gone = new Promise((resolve) => port1.once('close', resolve));
  port2.close();
  await gone;
  write(writer, 0, 80 * MIB);
  expect(sizeOf(path)).toBeGreaterThan(30 * MIB);
  writer.close();
  expect(existsSync(`${path}-wal`)).toBe(false);
});

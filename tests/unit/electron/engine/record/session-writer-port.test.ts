import { once } from 'node:events';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Recorder } from '../../../../../electron/engine/record/recorder.ts';
import { SessionWriterPort } from '../../../../../electron/engine/record/session-writer-port.ts';
import { Tally } from '../../../../../electron/engine/record/tally.ts';
import { SLAB_BYTES } from '../../../../../electron/session/format/slab-size.ts';
import type { FromWriter } from '../../../../../electron/session/format/writer-protocol.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import { SessionWriter } from '../../../../../electron/session/write/session-writer.ts';
import { serveSessionWriter } from '../../../../../electron/session/write/session-writer-service.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { closing, record } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

async function connected() {
  const path = join(temporaryFolder(), 'a.roundtrip');
  const { port1, port2 } = new MessageChannel();
  const connecting = SessionWriterPort.connect(port1);
  serveSessionWriter({ path, port: port2 });
  const writer = await connecting;
  return { path, engineEnd: port1, writerEnd: port2, writer };
}

test("the engine's thread dies: its events are written, open exchanges fail, and the file is released", async () => {
  const { path, engineEnd, writerEnd, writer } = await connected();
  const recorder = new Recorder({ writer, recording: true, slowDisk: 'drop' });
  record(recorder, exampleExchange({ id: recorder.nextExchangeId() }));
  recorder.changed(exampleExchange({ id: recorder.nextExchangeId(), state: 'open' }));
  void recorder.flush();
  const gone = once(writerEnd, 'close');
  engineEnd.close();
  await gone;
  const successor = SessionWriter.open(path);
  using reader = closing(new SessionReader(path));
  expect(reader.it.page(0, 10).rows.map((row) => row.state)).toEqual(['complete', 'failed']);
  expect(successor.session.nextExchangeId).toBe(3);
  successor.close();
});

test("the writer's thread dies: nothing waits for it, and traffic continues", async () => {
  const { engineEnd, writerEnd, writer } = await connected();
  const recorder = new Recorder({ writer, recording: true, slowDisk: 'wait', bodyLimit: SLAB_BYTES });
  const exchange = exampleExchange({ id: recorder.nextExchangeId() });
  expect(recorder.bodyPiece(exchange, 'response', new Uint8Array(3 * SLAB_BYTES))).toBe(false);
  const resumed = new Promise<void>((resolve) => recorder.onDrain(exchange, resolve));
  const gone = once(engineEnd, 'close');
  writerEnd.close();
  await gone;
  await resumed;
  expect(recorder.bodyPiece(exchange, 'response', new Uint8Array(3 * SLAB_BYTES))).toBe(true);
  await recorder.flush();
  expect([writer.detached, writer.trouble?.code]).toEqual([true, 'session.writer-died']);
  await recorder.close();
});

/** A writer on a thread that can die. */
function writerThread(path: string, resumes: boolean): { worker: Worker; engineEnd: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  const file = new URL('../../../../../electron/worker/session-writer-thread.ts', import.meta.url);
  const worker = new Worker(file, { workerData: { path, port: port2, resumes }, transferList: [port2] });
  onTestFinished(() => void worker.terminate());
  return { worker, engineEnd: port1 };
}

test("the writer's thread dies: its successor gets rows and bodies again, and open exchanges stay open", async () => {
  const path = join(temporaryFolder(), 'a.roundtrip');
  const { worker, engineEnd } = writerThread(path, false);
  const writer = await SessionWriterPort.connect(engineEnd);
  const tally = new Tally();
  const recorder = new Recorder({ writer, recording: true, slowDisk: 'drop', tally });
  recorder.changed(exampleExchange({ id: recorder.nextExchangeId(), state: 'open' }));
  await recorder.flush();
  const gone = once(engineEnd, 'close');
  void worker.terminate();
  const body = Buffer.alloc(2 * SLAB_BYTES, 'x');
  record(recorder, exampleExchange({ id: recorder.nextExchangeId() }), { response: body });
  void recorder.flush();
  await gone;
  const over = new Promise<void>((resolve) => {
    writer.onTrouble = (failure) => failure === null && resolve();
  });
  writer.resume(writerThread(path, true).engineEnd);
  await over;
  await recorder.flush();
  using reader = closing(new SessionReader(path));
  expect(reader.it.page(0, 10).rows.map((row) => row.state)).toEqual(['open', 'complete']);
  expect(Buffer.concat([...reader.it.bodyPieces(2, 'response')]).equals(body)).toBe(true);
  expect([tally.waiting, tally.lost]).toEqual([0, 0]);
  await recorder.close();
});

test('a port that closes before the file was opened rejects', async () => {
  const { port1, port2 } = new MessageChannel();
  const connecting = SessionWriterPort.connect(port1);
  port2.close();
  await expect(connecting).rejects.toMatchObject({
    code: 'engine.thread-not-started',
    message: 'A Roundtrip thread could not be started: the one that writes the session file died.',
  });
});

test('a file that another program locks at its end is closed as it is, without a failure', async () => {
  const { path, writer } = await connected();
  const failures: (string | undefined)[] = [];
  writer.onTrouble = (failure) => void failures.push(failure?.message);
  const other = new DatabaseSync(path);
  onTestFinished(() => other.close());
  other.exec('BEGIN IMMEDIATE');
  expect(await writer.close()).toBe(true);
  expect(failures).toEqual([]);
});

test('a writer that does not answer is reported, unless this thread stood still meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { port1, port2 } = new MessageChannel();
  const connecting = SessionWriterPort.connect(port1);
  const session = { sessionId: 'a', path: 'a.roundtrip', nextExchangeId: 1, nextConnectionId: 1 };
  port2.postMessage({ kind: 'opened', session } satisfies FromWriter);
  const writer = await connecting;
  const codes: (string | undefined)[] = [];
  writer.onTrouble = (failure) => void codes.push(failure?.code);
  void writer.clear('b');
  const now = vi.spyOn(performance, 'now').mockReturnValue(60_000);
  vi.advanceTimersByTime(5000);
  now.mockRestore();
  expect(codes).toEqual([]);
  vi.advanceTimersByTime(5000);
  expect(codes).toEqual(['session.stalled']);
  port2.close();
});

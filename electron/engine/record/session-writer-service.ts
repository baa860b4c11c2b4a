import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../../shared/model/failure.ts';
import { describe, failure, RoundtripError } from '../errors.ts';
import { SessionWriter } from './session-writer.ts';
import type { FromWriter, ToWriter } from './writer-protocol.ts';

/**
 * The writer's thread, all of it: opens the session file at `path`, says so on `port`, then does and acknowledges what
 * comes. `checkpoints` leads to `serveCheckpoints`; SQLite's own way unless given. A write that fails is reported once until one succeeds again; traffic goes on.
 */
export function serveSessionWriter(path: string, port: MessagePort, checkpoints?: MessagePort): void {
  const send = (message: FromWriter, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer);
  let writer: SessionWriter;
  try {
    writer = SessionWriter.open(path, checkpoints);
  } catch (error) {
    send({ kind: 'open-failed', failure: failureIn(error, path) });
    port.close();
    checkpoints?.close();
    return;
  }
  let failing = false;
  port.on('message', (message: ToWriter) => {
    const about = attempt(writer, message, path);
    const slabs = slabsOf(message);
    send({ kind: 'done', slabs, written: about === null, failure: failing ? null : about }, slabs);
    failing = about !== null;
    if (message.kind === 'close') port.close();
  });
  // The engine's thread died: what it had sent is written by now, and the file is to be free for its successor.
  port.on('close', () => attempt(writer, { kind: 'close' }, path));
  send({ kind: 'opened', session: writer.session });
}

function attempt(writer: SessionWriter, message: ToWriter, path: string): Failure | null {
  try {
    if (message.kind === 'batch') writer.apply(message);
    else if (message.kind === 'clear') writer.clear(message.sessionId);
    else writer.close();
    return null;
  } catch (error) {
    return failureIn(error, path);
  }
}

function slabsOf(message: ToWriter): ArrayBuffer[] {
  return message.kind === 'batch' ? message.slabs : [];
}

function failureIn(error: unknown, path: string): Failure {
  if (error instanceof RoundtripError) return error.failure;
  return failure('session.write-failed', { path, detail: describe(error) });
}

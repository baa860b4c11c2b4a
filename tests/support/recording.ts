import { MessageChannel } from 'node:worker_threads';
import { Recorder, type RecorderOptions } from '../../electron/engine/record/recorder.ts';
import { SessionWriterPort } from '../../electron/engine/record/session-writer-port.ts';
import { serveSessionWriter } from '../../electron/session/write/session-writer-service.ts';
import type { RecordedSide } from '../../shared/model/body-side.ts';
import type { Exchange } from '../../shared/model/exchange.ts';

/** The real writer on the same thread, behind a real message channel. */
export function connectWriter(path: string): Promise<SessionWriterPort> {
  const { port1, port2 } = new MessageChannel();
  const connected = SessionWriterPort.connect(port1);
  serveSessionWriter({ path, port: port2 });
  return connected;
}

export async function startRecorder(path: string, options: Partial<RecorderOptions> = {}): Promise<Recorder> {
  const writer = options.writer ?? (await connectWriter(path));
  return new Recorder({ recording: true, slowDisk: 'drop', ...options, writer });
}

/** Does what the engine does for a whole exchange: counts the bodies' sizes, reports them, ends it. */
export function record(recorder: Recorder, exchange: Exchange, bodies: Partial<Record<RecordedSide, Uint8Array>> = {}) {
  recorder.changed(exchange);
  for (const side of ['request', 'response', 'sent', 'received'] as const) {
    const bytes = bodies[side];
    const message = exchange[side];
    if (bytes === undefined || message === null) continue;
    message.body.size += bytes.length;
    recorder.bodyPiece(exchange, side, bytes);
  }
  exchange.revision += 1;
  recorder.ended(exchange);
}

/** For `using`: closes it at the end of the block. */
export function closing<T extends { close(): void }>(it: T): { it: T } & Disposable {
  return { it, [Symbol.dispose]: () => it.close() };
}

/** The problem codes as they are reported; null: the problem is over. */
export async function* trouble(writer: SessionWriterPort): AsyncGenerator<string | null> {
  const codes: (string | null)[] = [];
  let wake = () => {};
  writer.onTrouble = (failure) => {
    codes.push(failure?.code ?? null);
    wake();
  };
  for (;;) {
    const next = codes.shift();
    if (next !== undefined) yield next;
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}

import { MessageChannel, Worker } from 'node:worker_threads';
import { Recorder } from '../../../electron/engine/record/recorder.ts';
import { SessionWriterPort } from '../../../electron/engine/record/session-writer-port.ts';
import { exampleExchange } from '../../support/example-exchange.ts';
import { bodyOf } from './traffic.ts';

/**
 * A process that records until it is killed: an engine's thread and a writer's, as a host has them. Writes a line for
 * each exchange that has ended: its id, and when (milliseconds since the Unix epoch).
 */
const [path = ''] = process.argv.slice(2);
const { port1, port2 } = new MessageChannel();
new Worker(new URL('../../../electron/worker/session-writer-thread.ts', import.meta.url), {
  workerData: { path, port: port2, resumes: false },
  transferList: [port2],
});
const recorder = new Recorder({
  writer: await SessionWriterPort.connect(port1),
  recording: true,
  slowDisk: 'drop',
});

// One that is never to end.
recorder.changed(exampleExchange({ id: recorder.nextExchangeId(), state: 'open', response: null }));

setInterval(() => {
  for (let n = 0; n < 5; n++) {
    const exchange = exampleExchange({ id: recorder.nextExchangeId() });
    const body = bodyOf(exchange.id);
    recorder.changed(exchange);
    if (exchange.response) exchange.response.body.size = body.length;
    recorder.bodyPiece(exchange, 'response', body);
    recorder.ended(exchange);
    process.stdout.write(`${exchange.id} ${Date.now()}\n`);
  }
}, 10);

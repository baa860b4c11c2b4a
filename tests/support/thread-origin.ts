import { Worker } from 'node:worker_threads';
import { onTestFinished } from 'vitest';

const PROGRAM = `
const { parentPort, workerData } = require('node:worker_threads');
const { responses, secure } = workerData;
const serve = (socket) => {
  socket.on('error', () => {});
  socket.on('data', () => {
    socket.write('HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\nok', () => {
      Atomics.store(responses, 0, 1);
      Atomics.notify(responses, 0);
    });
  });
};
const server = secure ? require('node:tls').createServer(secure, serve) : require('node:net').createServer(serve);
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

export interface ThreadOrigin {
  port: number;
  /** Blocks this thread until the origin has written a response. False: it has not within ten seconds. */
  blockUntilResponded(): boolean;
}

/** An HTTP/1.1 origin on its own thread: it answers while this one is busy. `secure`: over TLS, with these PEMs. */
export async function threadOrigin(secure: { key: string; cert: string } | null = null): Promise<ThreadOrigin> {
  const responses = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(PROGRAM, { eval: true, workerData: { responses, secure } });
  onTestFinished(async () => {
    await worker.terminate();
  });
  const port = await new Promise<number>((resolve, reject) => {
    worker.once('message', resolve).once('error', reject);
  });
  return { port, blockUntilResponded: () => Atomics.wait(responses, 0, 0, 10_000) !== 'timed-out' };
}

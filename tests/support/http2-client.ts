import http2 from 'node:http2';
import { onTestFinished } from 'vitest';
import type { TestEngine } from './engine.ts';
import { openSecureTunnel } from './tunnel.ts';

/** The outcome of one request: `reset` is the RST_STREAM code, 0 for a proper end. */
export interface Http2Answer {
  headers: http2.IncomingHttpHeaders;
  body: string;
  trailers: http2.IncomingHttpHeaders;
  reset: number;
}

/** An HTTP/2 client inside a tunnel to `localhost:port`. */
export async function http2Client(through: TestEngine, port: number): Promise<http2.ClientHttp2Session> {
  const secure = await openSecureTunnel(through, port, ['h2']);
  const client = http2.connect(`https://localhost:${port}`, { createConnection: () => secure });
  client.on('error', () => {});
  onTestFinished(() => client.destroy());
  return client;
}

/** Reads a stream until it is closed. */
export function answerOf(stream: http2.ClientHttp2Stream): Promise<Http2Answer> {
  const answer: Http2Answer = { headers: {}, body: '', trailers: {}, reset: 0 };
  stream.on('error', () => {});
  stream.on('response', (headers) => {
    answer.headers = headers;
  });
  stream.on('trailers', (headers) => {
    answer.trailers = headers;
  });
  stream.setEncoding('latin1').on('data', (text: string) => {
    answer.body += text;
  });
  return new Promise((resolve) => stream.on('close', () => resolve({ ...answer, reset: stream.rstCode })));
}

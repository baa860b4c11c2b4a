import http2 from 'node:http2';
import { onTestFinished } from 'vitest';
import type { TestEngine } from './engine.ts';
import { openSecureTunnel } from './tunnel.ts';

/** The outcome of one request: `reset` is the RST_STREAM code, 0 for a proper end. */
export interface Http2Response {
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
export function responseOf(stream: http2.ClientHttp2Stream): Promise<Http2Response> {
  const response: Http2Response = { headers: {}, body: '', trailers: {}, reset: 0 };
  stream.on('error', () => {});
  stream.on('response', (headers) => {
    response.headers = headers;
  });
  stream.on('trailers', (headers) => {
    response.trailers = headers;
  });
  stream.setEncoding('latin1').on('data', (text: string) => {
    response.body += text;
  });
  return new Promise((resolve) => stream.on('close', () => resolve({ ...response, reset: stream.rstCode })));
}

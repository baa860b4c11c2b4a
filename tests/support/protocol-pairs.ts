import http from 'node:http';
import http2 from 'node:http2';
import { onTestFinished } from 'vitest';
import type { Settings } from '../../shared/model/settings.ts';
import type { TestEngine } from './engine.ts';
import { http2Client } from './http2-client.ts';
import { openSecureTunnel } from './tunnel.ts';

export interface ProtocolPair {
  client: 'http/1.1' | 'h2';
  upstream: 'http/1.1' | 'h2';
  /** The option that makes curl that client. */
  curl: '--http1.1' | '--http2';
  /** Both sides speak the same protocol unless HTTP/2 is off on one of them. */
  settings: Partial<Settings>;
}

export const MIXED_PAIRS: readonly ProtocolPair[] = [
  { client: 'http/1.1', upstream: 'h2', curl: '--http1.1', settings: { http2Client: false } },
  { client: 'h2', upstream: 'http/1.1', curl: '--http2', settings: { http2Upstream: false } },
];

/** An origin of both protocols gets `upstream` from a client that speaks `client`. */
export const PROTOCOL_PAIRS: readonly ProtocolPair[] = [
  { client: 'http/1.1', upstream: 'http/1.1', curl: '--http1.1', settings: {} },
  { client: 'h2', upstream: 'h2', curl: '--http2', settings: {} },
  ...MIXED_PAIRS,
];

export interface Asked {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Sent without a Content-Length. */
  trailers?: Record<string, string>;
}

export interface Got {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  trailers: http.IncomingHttpHeaders;
  /** Statuses of the informational responses before it. */
  informational: number[];
  /** Whether it ended as its framing requires. */
  isWhole: boolean;
}

/** A client of one connection, inside a tunnel to `localhost:port`. */
export interface PairClient {
  ask(path: string, asked?: Asked): Promise<Got>;
  /**
   * Begins a request, whose body stays open if asked; `leave` resets its stream, or ends its connection. `got`:
   * everything received until then.
   */
  begin(path: string, asked?: Asked, isOpen?: boolean): { got: Promise<Got>; leave(): void };
}

const nothing = (): Got => ({
  ...{ status: 0, headers: {}, body: Buffer.alloc(0), trailers: {}, informational: [], isWhole: false },
});

/** Values that are pseudo-fields are left out: both protocols show the same. */
function ordinary(fields: http2.IncomingHttpHeaders): http.IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !name.startsWith(':')));
}

function http2PairClient(session: http2.ClientHttp2Session): PairClient {
  const begin: PairClient['begin'] = (path, { method = 'GET', headers, body, trailers } = {}, isOpen = false) => {
    const got = nothing();
    const endStream = body === undefined && trailers === undefined && !isOpen;
    const stream = session.request(
      { ':path': path, ':method': method, ...headers },
      { endStream, waitForTrailers: trailers !== undefined },
    );
    stream.on('error', () => {});
    stream.on('headers', (fields) => got.informational.push(Number(fields[':status'])));
    stream.on('response', (fields) => {
      got.status = Number(fields[':status']);
      got.headers = ordinary(fields);
    });
    stream.on('trailers', (fields) => {
      got.trailers = fields;
    });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers ?? {}));
    const pieces: Buffer[] = [];
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => {
      got.isWhole = stream.rstCode === 0 && got.status > 0;
    });
    if (isOpen) stream.write(body ?? '');
    else if (!endStream) stream.end(body ?? '');
    return {
      // Node ends an open stream before it resets it, as if its body were whole.
      leave: () => (isOpen ? session.destroy() : stream.close(http2.constants.NGHTTP2_CANCEL)),
      got: new Promise((resolve) => {
        stream.on('close', () =>
          resolve({ ...got, body: Buffer.concat(pieces), isWhole: got.isWhole && !stream.aborted }),
        );
      }),
    };
  };
  return { begin, ask: (path, asked) => begin(path, asked).got };
}

function http1PairClient(host: string, createConnection: () => ReturnType<typeof openSecureTunnel>): PairClient {
  const begin = (path: string, { method = 'GET', headers, body, trailers }: Asked = {}, isOpen = false) => {
    const got = nothing();
    const leaving = new AbortController();
    const run = async (): Promise<Got> => {
      const socket = await createConnection();
      const pieces: Buffer[] = [];
      return await new Promise<Got>((resolve) => {
        const finish = () => resolve({ ...got, body: Buffer.concat(pieces) });
        const request = http.request({ method, path, headers: { host, ...headers }, createConnection: () => socket });
        leaving.signal.addEventListener('abort', () => socket.destroy());
        socket.on('close', finish);
        request.on('error', finish).on('information', ({ statusCode }) => got.informational.push(statusCode));
        request.on('response', (response) => {
          got.status = response.statusCode ?? 0;
          got.headers = response.headers;
          response.on('data', (piece: Buffer) => pieces.push(piece)).on('error', () => {});
          response.on('end', () => {
            got.isWhole = response.complete;
            got.trailers = response.trailers;
            socket.destroy();
          });
        });
        if (trailers) request.setHeader('trailer', Object.keys(trailers).join(', '));
        if (trailers) request.addTrailers(trailers);
        if (isOpen) request.write(body ?? '');
        else request.end(body);
      });
    };
    return { got: run(), leave: () => leaving.abort() };
  };
  return { begin, ask: (path, asked) => begin(path, asked).got };
}

/** A client of the pair's protocol. Over HTTP/1.1 each request has its own connection. */
export async function pairClient(through: TestEngine, port: number, { client }: ProtocolPair): Promise<PairClient> {
  if (client === 'h2') return http2PairClient(await http2Client(through, port));
  return http1PairClient(`localhost:${port}`, async () => {
    const socket = await openSecureTunnel(through, port, ['http/1.1']);
    onTestFinished(() => void socket.destroy());
    return socket;
  });
}

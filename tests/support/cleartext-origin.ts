import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { onTestFinished } from 'vitest';
import type { Http2Responder } from './http2-origin.ts';
import { listen } from './listen.ts';

export interface CleartextOrigin {
  url: string;
  port: number;
  /** The protocol of each connection, in order of arrival. */
  spoken: ('http1' | 'http2')[];
  /** The HTTP/2 side; emits `session`. */
  http2: http2.Http2Server;
  /** Accepts no more connections, and ends open ones. */
  stop(): void;
}

/** A real server without TLS. It speaks HTTP/2 to clients that begin with its preface, and HTTP/1.1 to others. */
export async function cleartextOrigin(
  respond: Http2Responder,
  { speaks = ['http1', 'http2'] }: { speaks?: ('http1' | 'http2')[] } = {},
): Promise<CleartextOrigin> {
  const spoken: ('http1' | 'http2')[] = [];
  const sockets = new Set<net.Socket>();
  const one = http.createServer((request, response) => {
    request.resume().on('end', () => response.end(`${request.method} over HTTP/1.1`));
  });
  const two = http2.createServer();
  two.on(
    'stream',
    (stream: http2.ServerHttp2Stream, headers: http2.IncomingHttpHeaders, _flags: number, raw: string[]) => {
      stream.on('error', () => {});
      respond(stream, headers, raw);
    },
  );
  two.on('session', (session) => session.on('error', () => {}));
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    socket.once('readable', () => {
      const first = socket.read() as Buffer | null;
      if (first === null) {
        socket.destroy();
        return;
      }
      socket.unshift(first);
      const asked = first.toString('latin1', 0, 4) === 'PRI ' ? 'http2' : 'http1';
      spoken.push(asked);
      const face = speaks.includes(asked) ? asked : speaks[0];
      (face === 'http2' ? two : one).emit('connection', socket);
    });
  });
  const port = await listen(server);
  const stop = (): void => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  onTestFinished(stop);
  return { url: `http://localhost:${port}`, port, spoken, http2: two, stop };
}

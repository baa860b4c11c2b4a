import http from 'node:http';
import { given, ready } from './support.mjs';

export const keepAlive = { keepAlive: true, maxSockets: 256 };

/** A plain HTTP proxy on the given port: `hand(request, response, origin, path)` passes each request on. */
export function serveForwarder(hand) {
  const server = http.createServer((request, response) => {
    const { origin, pathname, search } = new URL(request.url);
    hand(request, response, origin, pathname + search);
  });
  server.listen(given.port, '127.0.0.1', () => ready(server.address().port));
}

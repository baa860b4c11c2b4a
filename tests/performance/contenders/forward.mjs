import http from 'node:http';
import { given, ready, reverseOrigin } from './support.mjs';

export const keepAlive = { keepAlive: true, maxSockets: 256 };

/**
 * A plain HTTP proxy on the given port: `hand(request, response, origin, path)` passes each request on. One that does
 * not name its origin, as to a reverse proxy, goes to the one given.
 */
export function serveForwarder(hand) {
  const server = http.createServer((request, response) => {
    const { origin, pathname, search } = new URL(request.url, reverseOrigin);
    hand(request, response, origin, pathname + search);
  });
  server.listen(given.port, '127.0.0.1', () => ready(server.address().port));
}

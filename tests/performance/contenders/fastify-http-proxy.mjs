import replyFrom from '@fastify/http-proxy';
import fastify from 'fastify';
import { given, ready, reverseOrigin } from './support.mjs';

// A reverse proxy by nature: of a request to a forward proxy, the origin is taken from its absolute form.
const own = `127.0.0.1:${given.port}`;
const server = fastify({ rewriteUrl: (request) => new URL(request.url, reverseOrigin).pathname });
server.register(replyFrom, {
  upstream: '',
  undici: { connections: 256, pipelining: 1 },
  replyOptions: { getUpstream: ({ headers }) => (headers.host === own ? reverseOrigin : `http://${headers.host}`) },
});
await server.listen({ host: '127.0.0.1', port: given.port });
ready(given.port);

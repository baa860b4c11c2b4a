import replyFrom from '@fastify/http-proxy';
import fastify from 'fastify';
import { given, ready } from './support.mjs';

// A reverse proxy by nature: the origin is taken from the request's absolute form.
const server = fastify({ rewriteUrl: (request) => new URL(request.url).pathname });
server.register(replyFrom, {
  upstream: '',
  undici: { connections: 256, pipelining: 1 },
  replyOptions: { getUpstream: (request) => `http://${request.headers.host}` },
});
await server.listen({ host: '127.0.0.1', port: given.port });
ready(given.port);

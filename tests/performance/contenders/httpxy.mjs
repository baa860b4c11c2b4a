import http from 'node:http';
import { createProxyServer } from 'httpxy';
import { keepAlive, serveForwarder } from './forward.mjs';

const proxy = createProxyServer({ agent: new http.Agent(keepAlive) });
proxy.on('error', (_error, _request, response) => response.destroy());
serveForwarder((request, response, target, path) => {
  request.url = path;
  proxy.web(request, response, { target });
});

import http from 'node:http';
import httpProxy from 'http-proxy';
import { keepAlive, serveForwarder } from './forward.mjs';

const proxy = httpProxy.createProxyServer({ agent: new http.Agent(keepAlive) });
proxy.on('error', (_error, _request, response) => response.destroy());
serveForwarder((request, response, target, path) => {
  request.url = path;
  proxy.web(request, response, { target });
});

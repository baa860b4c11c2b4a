import https from 'node:https';
import { Proxy as MitmProxy } from 'http-mitm-proxy';
import { given, ready } from './support.mjs';

const proxy = new MitmProxy();
proxy.onError(() => {});
proxy.listen(
  {
    host: '127.0.0.1',
    port: given.port,
    sslCaDir: given.folder,
    keepAlive: true,
    httpsAgent: new https.Agent({ keepAlive: true }),
  },
  (error) => {
    if (error) throw error;
    ready(given.port);
  },
);

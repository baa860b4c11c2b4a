import fastProxy from 'fast-proxy';
import { serveForwarder } from './forward.mjs';
import { given } from './support.mjs';

const options = { undici: given.options.undici ? { connections: 256, pipelining: 1 } : false };
const proxies = new Map();

/** It wants to know its target beforehand. */
function proxyTo(base) {
  const known = proxies.get(base);
  if (known) return known;
  const made = fastProxy({ base, cacheURLs: 0, ...options }).proxy;
  proxies.set(base, made);
  return made;
}

serveForwarder((request, response, origin, path) => proxyTo(origin)(request, response, path, {}));

import { electronTransport } from './electron-transport.ts';
import { HeadStart } from './head-start.ts';
import { takeToken } from './token.ts';
import { WebSocketTransport } from './web-socket-transport.ts';

/** Only this function knows whether the host is the desktop app or the web host. */
function hostTransport() {
  if (window.roundtrip) return electronTransport(window.roundtrip);
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocketTransport(`${scheme}://${location.host}/inspector?token=${encodeURIComponent(takeToken())}`);
}

/**
 * The connection to the host that opened this window. This module is its own small script, which `index.html` loads
 * before all others (vite.config.ts): the host answers while the browser still compiles the rest.
 */
export const hostConnection = new HeadStart(hostTransport());

import type { Transport } from '../../shared/client/transport.ts';
import { electronTransport } from './electron-transport.ts';
import { takeToken } from './token.ts';
import { WebSocketTransport } from './web-socket-transport.ts';

/** Only this function knows whether the host is the desktop app or the web host. */
export function hostTransport(): Transport {
  if (window.roundtrip) return electronTransport(window.roundtrip);
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocketTransport(`${scheme}://${location.host}/inspector?token=${encodeURIComponent(takeToken())}`);
}

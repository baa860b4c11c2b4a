import type { Transport } from '../../shared/client/transport.ts';
import type { Call } from '../../shared/contract/envelope.ts';
import { electronTransport } from './electron-transport.ts';
import { takeToken } from './token.ts';
import { WebSocketTransport } from './web-socket-transport.ts';

/** Only this function knows whether the host is the desktop app or the web host. `first`: what is sent first. */
export function hostTransport(first: readonly Call[]): Transport {
  if (window.roundtrip) return electronTransport(window.roundtrip);
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const token = encodeURIComponent(takeToken());
  return new WebSocketTransport(`${scheme}://${location.host}/inspector?token=${token}`, first);
}

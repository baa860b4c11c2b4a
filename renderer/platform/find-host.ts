import { connectInspector } from '../../shared/client/connect-inspector.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { electronTransport } from './electron-transport.ts';
import { takeToken } from './token.ts';
import { WebSocketTransport } from './web-socket-transport.ts';

/** Only this function knows whether the host is the desktop app or the web host. */
function hostTransport() {
  if (window.roundtrip) return electronTransport(window.roundtrip);
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  return new WebSocketTransport(`${scheme}://${location.host}/inspector?token=${encodeURIComponent(takeToken())}`);
}

/** The API of the host that opened this window. */
export function findHost(onBad: (sentence: string) => void): InspectorApi {
  return connectInspector(hostTransport(), onBad);
}

import { connectInspector } from '../../shared/client/connect-inspector.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { electronTransport } from './electron-transport.ts';
import { takeToken } from './token.ts';
import { WebSocketTransport } from './web-socket-transport.ts';

/**
 * Connects to the host that opened this window. Only this function knows whether it is the desktop app or the web host.
 */
export function findHost(onBad: (sentence: string) => void): InspectorApi {
  if (window.roundtrip) return connectInspector(electronTransport(window.roundtrip), onBad);
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const address = `${scheme}://${location.host}/inspector?token=${encodeURIComponent(takeToken())}`;
  return connectInspector(new WebSocketTransport(address), onBad);
}

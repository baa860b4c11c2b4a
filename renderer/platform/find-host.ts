import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { connectInspector } from './connect-inspector.ts';
import { electronTransport } from './electron-transport.ts';
import { takeToken } from './token.ts';
import { webSocketTransport } from './web-socket-transport.ts';

/** The host that opened this window: the one place that knows which of the two it is. */
export function findHost(onBad: (sentence: string) => void): InspectorApi {
  if (window.roundtrip) return connectInspector(electronTransport(window.roundtrip), onBad);
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const address = `${scheme}://${location.host}/inspector?token=${encodeURIComponent(takeToken())}`;
  return connectInspector(webSocketTransport(address), onBad);
}

import type { Transport } from '../../shared/client/transport.ts';

/** Milliseconds before each attempt to reconnect; the last value repeats. */
const BACKOFF = [250, 500, 1000, 2000, 5000];

/** Null for anything but JSON text; `connectInspector` reports it as invalid. */
function parse(data: unknown): unknown {
  if (typeof data !== 'string') return null;
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/**
 * A WebSocket to the headless host that reconnects with growing pauses, forever: the host may be started again later.
 */
export function webSocketTransport(address: string): Transport {
  let socket: WebSocket | null = null;
  let connected = false;
  let failures = 0;
  const messages = new Set<(message: unknown) => void>();
  const connections = new Set<(connected: boolean) => void>();

  function setConnected(now: boolean): void {
    if (now === connected) return;
    connected = now;
    for (const listener of connections) listener(now);
  }

  function open(): void {
    const opened = new WebSocket(address);
    socket = opened;
    opened.addEventListener('open', () => {
      failures = 0;
      setConnected(true);
    });
    opened.addEventListener('message', ({ data }) => {
      const message = parse(data);
      for (const listener of messages) listener(message);
    });
    // A failed attempt fires `close` too, after `error`.
    opened.addEventListener('close', () => {
      setConnected(false);
      setTimeout(open, BACKOFF[Math.min(failures, BACKOFF.length - 1)]);
      failures += 1;
    });
  }

  open();
  return {
    send: (call) => {
      if (socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error('Can’t reach the host.'));
      socket.send(JSON.stringify(call));
      return null;
    },
    onMessage: (listener) => messages.add(listener),
    onConnection: (listener) => {
      connections.add(listener);
      listener(connected);
    },
  };
}

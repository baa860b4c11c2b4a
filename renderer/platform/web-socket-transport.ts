import type { Transport } from '../../shared/client/transport.ts';
import type { Call } from '../../shared/contract/envelope.ts';

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
export class WebSocketTransport implements Transport {
  readonly #address: string;
  readonly #messages = new Set<(message: unknown) => void>();
  readonly #connections = new Set<(connected: boolean) => void>();
  #socket: WebSocket | null = null;
  #connected = false;
  #failures = 0;
  /** Numbers of calls that the first address carries, until they are sent or that connection is lost. */
  readonly #carried: Set<number>;

  /**
   * `first`: calls that the host answers as soon as it is connected. A page may send only once its thread was free to
   * hear that the socket is open, which it is not while it compiles the window's code.
   */
  constructor(address: string, first: readonly Call[] = []) {
    this.#address = address;
    this.#carried = new Set(first.map(({ call }) => call));
    this.#open(first.length > 0 ? `${address}&first=${encodeURIComponent(JSON.stringify(first))}` : address);
  }

  /** Null: the reply arrives as a message. Rejects at once without a connection: nothing is kept for later. */
  send(call: Call): null | Promise<never> {
    if (this.#carried.delete(call.call)) return null;
    if (this.#socket?.readyState !== WebSocket.OPEN) return Promise.reject(new Error('Can’t reach the host.'));
    this.#socket.send(JSON.stringify(call));
    return null;
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#messages.add(listener);
  }

  /** Reports the state at once too: the connection may have been made before the listener was added. */
  onConnection(listener: (connected: boolean) => void): void {
    this.#connections.add(listener);
    listener(this.#connected);
  }

  #open(address: string): void {
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.addEventListener('open', () => {
      this.#failures = 0;
      this.#setConnected(true);
    });
    socket.addEventListener('message', ({ data }) => {
      const message = parse(data);
      for (const listener of this.#messages) listener(message);
    });
    // A failed attempt fires `close` too, after `error`.
    socket.addEventListener('close', () => {
      this.#carried.clear();
      this.#setConnected(false);
      setTimeout(() => this.#open(this.#address), BACKOFF[Math.min(this.#failures, BACKOFF.length - 1)]);
      this.#failures += 1;
    });
  }

  /** Only changes are reported: further failed attempts are not reported. */
  #setConnected(now: boolean): void {
    if (now === this.#connected) return;
    this.#connected = now;
    for (const listener of this.#connections) listener(now);
  }
}

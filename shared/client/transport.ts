import type { Call } from '../contract/envelope.ts';

/**
 * Carries the contract's messages without reading them. Incoming ones are untrusted until `connectInspector` validates
 * them.
 */
export interface Transport {
  /** Returns the reply, or null if it will come through `onMessage`. Rejects if the host is unreachable. */
  send(call: Call): Promise<unknown> | null;
  onMessage(listener: (message: unknown) => void): void;
  /** Calls the listener at once, and on every change. */
  onConnection(listener: (connected: boolean) => void): void;
}

import type { Call } from '../../shared/contract/envelope.ts';

/** Carries the contract's messages, unread. What comes back is anybody's until `connectInspector` has checked it. */
export interface Transport {
  /** The reply, or null where it comes through `onMessage`. Rejects where the host cannot be reached. */
  send(call: Call): Promise<unknown> | null;
  onMessage(listener: (message: unknown) => void): void;
  /** Called at once, and with each change. */
  onConnection(listener: (connected: boolean) => void): void;
}

import type { EventName, PayloadOf } from './events.ts';
import type { InputOf, OutputOf, RequestName } from './requests.ts';

/** A host's API for a window, independent of the transport. */
export interface InspectorApi {
  /** Rejects with an `InspectorError`. */
  request<N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>>;
  /** Returns a function that removes the listener. */
  on<E extends EventName>(event: E, listener: (payload: PayloadOf<E>) => void): () => void;
  /** Whether the host can be reached; called at once with the current state. Returns a function to stop it. */
  onConnection(listener: (connected: boolean) => void): () => void;
}

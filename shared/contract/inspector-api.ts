import type { EventName, PayloadOf } from './events.ts';
import type { InputOf, OutputOf, RequestName } from './requests.ts';

/** What a host offers to a window, whichever transport carries it. */
export interface InspectorApi {
  /** Rejects with an `InspectorError`. */
  request<N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>>;
  /** Returns what ends the listening. */
  on<E extends EventName>(event: E, listener: (payload: PayloadOf<E>) => void): () => void;
  /** Whether the host can be reached; called at once with the state as it is. Returns what ends the listening. */
  onConnection(listener: (connected: boolean) => void): () => void;
}

import type { EventName, PayloadOf } from '../../shared/contract/events.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { roundtripError } from '../failures/errors.ts';
import { type Attached, attach } from './attach.ts';

/** The API of whatever Roundtrip runs at the time of each request. */
export interface Reattaching {
  api: InspectorApi;
  /** The address of the web host that is attached now; null: none is. */
  address(): { url: string; token: string } | null;
  close(): void;
}

type Listening = (attached: Attached) => void;

/**
 * Attaches at the first request, and again after the Roundtrip there ended and another began: an agent's connection
 * lives longer than either. Without one, requests reject with `attach.none-running`.
 */
export function reattachingApi(dataFolder: string, pid: number | null): Reattaching {
  const listening = new Set<Listening>();
  const connections = new Set<(connected: boolean) => void>();
  let current: Attached | null = null;
  let attaching: Promise<Attached> | null = null;

  async function open(): Promise<Attached> {
    const attached = await attach(dataFolder, pid);
    if (attached === null) throw roundtripError('attach.none-running', { folder: dataFolder });
    current = attached;
    for (const listen of listening) listen(attached);
    void attached.closed.then(() => {
      current = null;
      attaching = null;
      for (const listener of connections) listener(false);
    });
    return attached;
  }

  async function attachedNow(): Promise<Attached> {
    attaching ??= open();
    try {
      return await attaching;
    } catch (error) {
      attaching = null;
      throw error;
    }
  }

  function on<E extends EventName>(event: E, listener: (payload: PayloadOf<E>) => void): () => void {
    let stop: () => void = () => undefined;
    const listen: Listening = ({ api }) => {
      stop = api.on(event, listener);
    };
    listening.add(listen);
    if (current) listen(current);
    return () => {
      listening.delete(listen);
      stop();
    };
  }

  return {
    api: {
      request: async (name, input) => await (await attachedNow()).api.request(name, input),
      on,
      onConnection: (listener) => {
        connections.add(listener);
        listener(current !== null);
        return () => void connections.delete(listener);
      },
    },
    address: () => current && { url: current.running.url, token: current.running.token },
    close: () => current?.close(),
  };
}

import type { EventName, PayloadOf } from '../../shared/contract/events.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { InputOf, OutputOf, RequestName } from '../../shared/contract/requests.ts';
import { roundtripError } from '../failures/errors.ts';
import { type Attached, attach } from './attach.ts';

type Listening = (attached: Attached) => void;

/**
 * The API of the Roundtrip that runs at the time of each request. Attaches at the first request, and again after that
 * Roundtrip ended and another began: an agent's connection lives longer than either. Without one, requests reject with
 * `attach.none-running`.
 */
export class ReattachingApi implements InspectorApi {
  readonly #dataFolder: string;
  readonly #pid: number | null;
  readonly #listening = new Set<Listening>();
  readonly #connections = new Set<(connected: boolean) => void>();
  #current: Attached | null = null;
  #attaching: Promise<Attached> | null = null;

  /** `pid`: of the Roundtrip to attach to; null: the only one. */
  constructor(dataFolder: string, pid: number | null) {
    this.#dataFolder = dataFolder;
    this.#pid = pid;
  }

  async request<N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
    return await (await this.#attachedNow()).api.request(name, input);
  }

  on<E extends EventName>(event: E, listener: (payload: PayloadOf<E>) => void): () => void {
    let stop: () => void = () => undefined;
    const listen: Listening = ({ api }) => {
      stop = api.on(event, listener);
    };
    this.#listening.add(listen);
    if (this.#current) listen(this.#current);
    return () => {
      this.#listening.delete(listen);
      stop();
    };
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#connections.add(listener);
    listener(this.#current !== null);
    return () => void this.#connections.delete(listener);
  }

  /** The address of the web host that is attached now; null: none is. */
  address(): { url: string; token: string } | null {
    return this.#current && { url: this.#current.running.url, token: this.#current.running.token };
  }

  close(): void {
    this.#current?.close();
  }

  async #attachedNow(): Promise<Attached> {
    this.#attaching ??= this.#open();
    try {
      return await this.#attaching;
    } catch (error) {
      // The next request tries again: a Roundtrip may run by then.
      this.#attaching = null;
      throw error;
    }
  }

  async #open(): Promise<Attached> {
    const attached = await attach(this.#dataFolder, this.#pid);
    if (attached === null) throw roundtripError('attach.none-running', { folder: this.#dataFolder });
    this.#current = attached;
    for (const listen of this.#listening) listen(attached);
    void attached.closed.then(() => {
      this.#current = null;
      this.#attaching = null;
      for (const listener of this.#connections) listener(false);
    });
    return attached;
  }
}

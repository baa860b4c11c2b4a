import type { ConnectionInfo } from '../../../shared/model/connection.ts';

/** Most exchanges in a row share a few connections, each with a certificate of some kilobytes. */
const MOST = 500;

/** The connections that were read last, by id. */
export class ConnectionCache {
  readonly #known = new Map<number, ConnectionInfo | null>();

  /** Undefined: not kept. Null: the session has none of that id. */
  get(id: number): ConnectionInfo | null | undefined {
    return this.#known.get(id);
  }

  /** Returns it. The one that was kept first leaves. */
  keep(id: number, connection: ConnectionInfo | null): ConnectionInfo | null {
    const [oldest] = this.#known.size >= MOST ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(id, connection);
    return connection;
  }
}

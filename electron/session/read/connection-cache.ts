import type { ConnectionInfo } from '../../../shared/model/connection.ts';

/** Most exchanges in a row share a few connections, each with a certificate of some kilobytes. */
const MOST = 500;

/**
 * The connections that were read last, by id and by whether the exchange reused them. Exchanges that share a connection
 * get the same object, which lets an export keep what it makes of it.
 */
export class ConnectionCache {
  readonly #known = new Map<number, ConnectionInfo | null>();

  /** Undefined: not kept. Null: the session has none of that id. */
  get(id: number, reused: boolean): ConnectionInfo | null | undefined {
    return this.#known.get(cellOf(id, reused));
  }

  /** Returns it. The one that was kept first leaves. */
  keep(id: number, reused: boolean, connection: ConnectionInfo | null): ConnectionInfo | null {
    const [oldest] = this.#known.size >= MOST ? this.#known.keys() : [];
    if (oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(cellOf(id, reused), connection);
    return connection;
  }
}

function cellOf(id: number, reused: boolean): number {
  return id * 2 + (reused ? 1 : 0);
}

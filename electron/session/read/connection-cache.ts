import type { ConnectionInfo } from '../../../shared/model/connection.ts';

/** Connections. Consecutive exchanges mostly share a few, each with a certificate of a few kilobytes. */
const MOST = 500;

/**
 * Recently read connections, by id and by whether the exchange reused them. Exchanges that share a connection get the
 * same object, and an export can cache its result for that object.
 */
export class ConnectionCache {
  readonly #known = new Map<number, ConnectionInfo | null>();

  /** Undefined: not cached. Null: the session has no connection with that id. */
  get(id: number, reused: boolean): ConnectionInfo | null | undefined {
    const known = this.#known.get(cellOf(id, reused));
    if (known !== undefined) return known;
    // The first exchange on a connection did not reuse it, all others did: they need no second read of the file.
    const other = this.#known.get(cellOf(id, !reused));
    return other === undefined ? undefined : this.keep(id, reused, other && { ...other, reused });
  }

  /** Returns the connection. Drops the oldest entry if the cache is full. */
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

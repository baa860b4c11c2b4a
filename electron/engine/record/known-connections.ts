import type { ConnectionInfo } from '../../../shared/model/connection.ts';

/** Connections remembered. One that was dropped is written again, which does no harm. */
const CAPACITY = 4096;

/** The connections that the session file already has, unchanged. A busy one is written once, not with each exchange. */
export class KnownConnections {
  readonly #known = new Map<number, ConnectionInfo>();

  /** True the first time, and again after the connection changed. */
  isNews(connection: ConnectionInfo): boolean {
    const known = this.#known.get(connection.id);
    if (known !== undefined && isSame(known, connection)) return false;
    if (known === undefined && this.#known.size >= CAPACITY) this.#forgetOldest();
    this.#known.set(connection.id, { ...connection });
    return true;
  }

  clear(): void {
    this.#known.clear();
  }

  #forgetOldest(): void {
    for (const id of this.#known.keys()) {
      this.#known.delete(id);
      return;
    }
  }
}

function isSame(a: ConnectionInfo, b: ConnectionInfo): boolean {
  return (
    a.tls === b.tls &&
    a.protocol === b.protocol &&
    a.remoteAddress === b.remoteAddress &&
    a.localAddress === b.localAddress &&
    a.via === b.via
  );
}

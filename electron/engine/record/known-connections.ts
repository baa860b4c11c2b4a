import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { ConnectionEnd } from '../../../shared/model/insight/connection-end.ts';

/** Connections remembered. A dropped one is written again, which is harmless; only its end is lost. */
const CAPACITY = 16_384;
/** Ended connections remembered: a connection's exchanges are written soon after its end. */
const ENDED = 2048;

/** The connections that the session file already has, unchanged. A busy one is written once, not with each exchange. */
export class KnownConnections {
  readonly #known = new Map<number, ConnectionInfo>();
  /** By id. An exchange has a copy of its connection, made before the connection ended. */
  readonly #ends = new Map<number, ConnectionEnd>();

  has(id: number): boolean {
    return this.#known.has(id);
  }

  /** An exchange of the connection may still be written. */
  ended({ id, end }: ConnectionInfo): void {
    if (end === undefined) return;
    this.#ends.set(id, end);
    if (this.#ends.size <= ENDED) return;
    const [oldest = id] = this.#ends.keys();
    this.#ends.delete(oldest);
    this.#known.delete(oldest);
  }

  /** The connection with its end, if it has ended. */
  current(connection: ConnectionInfo): ConnectionInfo {
    const end = this.#ends.get(connection.id);
    return end === undefined ? connection : { ...connection, end };
  }

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
    this.#ends.clear();
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
    a.via === b.via &&
    a.end === b.end
  );
}

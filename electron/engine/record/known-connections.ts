import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { ConnectionEnd } from '../../../shared/model/insight/connection-end.ts';

/** Connections remembered. One that was dropped is written again, which does no harm; only its end is lost. */
const CAPACITY = 16_384;

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
    makeRoom(this.#ends);
    this.#ends.set(id, end);
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
    if (known === undefined) makeRoom(this.#known);
    this.#known.set(connection.id, { ...connection });
    return true;
  }

  clear(): void {
    this.#known.clear();
    this.#ends.clear();
  }
}

/** Forgets the oldest entry of a full map. */
function makeRoom(map: Map<number, unknown>): void {
  if (map.size < CAPACITY) return;
  for (const id of map.keys()) {
    map.delete(id);
    return;
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

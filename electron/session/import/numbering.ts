import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import { RecentMap } from './recent-map.ts';

/** Connections that are remembered: a file may have one for each of a million exchanges, and uses few at a time. */
const NAMES = 50_000;
const CONNECTIONS = 2000;

/** A connection of an imported file, and whether an earlier exchange used it. */
export interface NumberedConnection {
  id: number;
  reused: boolean;
}

/**
 * Gives ids to the exchanges and connections of one imported file. Our own files keep their ids, shifted after those
 * that the session already has.
 */
export class Numbering {
  readonly #exchangeShift: number;
  readonly #connectionShift: number;
  #nextExchange: number;
  #nextConnection: number;
  readonly #keys = new RecentMap<string, number>(NAMES);
  readonly #connections = new RecentMap<number, ConnectionInfo>(CONNECTIONS);

  /** The first free ids of the session. */
  constructor(nextExchange: number, nextConnection: number) {
    this.#exchangeShift = nextExchange - 1;
    this.#connectionShift = nextConnection - 1;
    this.#nextExchange = nextExchange;
    this.#nextConnection = nextConnection;
  }

  get next(): { exchange: number; connection: number } {
    return { exchange: this.#nextExchange, connection: this.#nextConnection };
  }

  /** `own`: the id in our own file; null: the next one. */
  exchange(own: number | null): number {
    const id = Math.max(own === null ? 0 : own + this.#exchangeShift, this.#nextExchange);
    this.#nextExchange = id + 1;
    return id;
  }

  /** `key`: identifies the connection in the file. */
  connection(key: string): NumberedConnection {
    const known = this.#keys.get(key);
    if (known !== undefined) return { id: known, reused: true };
    const id = this.#nextConnection;
    this.#nextConnection += 1;
    this.#keys.set(key, id);
    return { id, reused: false };
  }

  /** The id of a connection in our own file; 0 (none) stays 0. */
  ownConnection(own: number): number {
    if (own <= 0) return 0;
    const id = own + this.#connectionShift;
    this.#nextConnection = Math.max(this.#nextConnection, id + 1);
    return id;
  }

  /** Keeps a connection for a while, for the attempts that name it by its id. */
  remember(connection: ConnectionInfo): ConnectionInfo {
    this.#connections.set(connection.id, connection);
    return connection;
  }

  known(id: number): ConnectionInfo | null {
    return this.#connections.get(id) ?? null;
  }
}

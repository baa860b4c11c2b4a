import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { pushConnection, pushExchange } from '../../session/format/exchange-cells.ts';
import type { RowCells } from '../../session/format/writer-protocol.ts';
import type { KnownConnections } from './known-connections.ts';

/** The rows of exchanges and connections for one batch. */
export class Rows {
  readonly cells: RowCells = { exchanges: [], details: [], connections: [] };
  /** Exchanges in these rows. */
  count = 0;
  /** The exchanges among them that ended. */
  ended = 0;
  /** Characters in these rows. */
  size = 0;
  readonly #connections: KnownConnections;

  constructor(connections: KnownConnections) {
    this.#connections = connections;
  }

  get isEmpty(): boolean {
    return this.count === 0 && this.cells.connections.length === 0;
  }

  /** `row`: the exchange's list row, JSON of a `SummaryRow`. */
  pushExchange(exchange: Exchange, row: string): void {
    this.count += 1;
    this.pushConnection('client', exchange.client);
    this.pushConnection('upstream', exchange.upstream);
    for (const { connection } of exchange.attempts) {
      if (connection !== exchange.upstream) this.pushConnection('upstream', connection);
    }
    this.size += pushExchange(this.cells, exchange, row);
  }

  pushConnection(side: 'client' | 'upstream', connection: ConnectionInfo | null): void {
    if (connection === null) return;
    const current = this.#connections.current(connection);
    if (this.#connections.isNews(current)) pushConnection(this.cells.connections, side, current);
  }
}

import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { detailRow } from './detail-row.ts';
import type { Cell, RowCells } from './writer-protocol.ts';

/** Columns of the table `exchange` in the order of their cells. */
export const EXCHANGE_COLUMNS = ['id', 'open', 'row'] as const;
export const DETAIL_COLUMNS = ['exchange', 'row'] as const;
export const CONNECTION_COLUMNS = [
  'id',
  'side',
  'protocol',
  'local_address',
  'remote_address',
  'via',
  'tls',
  'ended',
] as const;

/** `row`: JSON of its `SummaryRow`. Returns how many characters were pushed. */
export function pushExchange(cells: Pick<RowCells, 'exchanges' | 'details'>, exchange: Exchange, row: string): number {
  const detail = JSON.stringify(detailRow(exchange));
  cells.exchanges.push(exchange.id, exchange.state === 'open' ? 1 : 0, row);
  cells.details.push(exchange.id, detail);
  return row.length + detail.length;
}

export function pushConnection(cells: Cell[], side: 'client' | 'upstream', of: ConnectionInfo): void {
  cells.push(of.id, side, of.protocol, of.localAddress, of.remoteAddress, of.via);
  cells.push(of.tls === null ? null : JSON.stringify(of.tls), of.end === undefined ? null : JSON.stringify(of.end));
}

import * as v from 'valibot';
import { type ConnectionInfo, ConnectionInfoSchema } from '../../../shared/model/connection.ts';
import { TlsInfoSchema } from '../../../shared/model/tls-info.ts';

/** Converts a row of the table `connection`. `reused` comes from the exchange, not from the row. */
export function connectionOf(row: Record<string, unknown>, reused: boolean): ConnectionInfo {
  return v.parse(ConnectionInfoSchema, {
    id: row.id,
    protocol: row.protocol,
    localAddress: row.local_address,
    remoteAddress: row.remote_address,
    reused,
    tls: row.tls === null ? null : v.parse(TlsInfoSchema, JSON.parse(String(row.tls))),
    via: row.via,
    ...(row.ended === null ? {} : { end: JSON.parse(String(row.ended)) }),
  });
}

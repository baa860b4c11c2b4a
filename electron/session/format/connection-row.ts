import * as v from 'valibot';
import { type ConnectionInfo, ConnectionInfoSchema } from '../../../shared/model/connection.ts';
import { ConnectionEndSchema } from '../../../shared/model/insight/connection-end.ts';
import { TlsInfoSchema } from '../../../shared/model/tls-info.ts';

/**
 * Converts a row of the table `connection`. `reused` comes from the exchange, not from the row. A damaged file may
 * contain anything: TLS and the end are then left out, or everything but the id.
 */
export function connectionOf(row: Record<string, unknown>, reused: boolean): ConnectionInfo {
  const end = jsonOf(row.ended, ConnectionEndSchema);
  const connection = v.safeParse(ConnectionInfoSchema, {
    id: row.id,
    protocol: row.protocol,
    localAddress: row.local_address,
    remoteAddress: row.remote_address,
    reused,
    tls: jsonOf(row.tls, TlsInfoSchema),
    via: row.via,
    ...(end === null ? {} : { end }),
  });
  if (connection.success) return connection.output;
  const unknown = { localAddress: null, remoteAddress: null, tls: null, via: null };
  return { id: Number(row.id), protocol: 'unknown', reused, ...unknown };
}

/** JSON that fits a schema, or null. */
function jsonOf<S extends v.GenericSchema>(text: unknown, schema: S): v.InferOutput<S> | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return parsed.success ? parsed.output : null;
}

import * as v from 'valibot';
import { type ConnectionInfo, ProtocolSchema } from '../../../shared/model/connection.ts';
import { ConnectionEndSchema } from '../../../shared/model/insight/connection-end.ts';
import { type TlsInfo, TlsInfoSchema } from '../../../shared/model/tls-info.ts';

const isProtocol = (cell: unknown) => v.is(ProtocolSchema, cell);
const isTextOrNull = (cell: unknown) => cell === null || typeof cell === 'string';

/**
 * Converts a row of the table `connection`. `reused` comes from the exchange, not from the row. A damaged file may
 * contain anything: TLS and the end are then left out, or everything but the id. Connections with the same TLS share
 * the object.
 */
export function connectionOf(row: Record<string, unknown>, reused: boolean): ConnectionInfo {
  const { id, protocol, local_address: localAddress, remote_address: remoteAddress, via } = row;
  const isSound =
    typeof id === 'number' && isProtocol(protocol) && [localAddress, remoteAddress, via].every(isTextOrNull);
  if (!isSound) {
    const unknown = { localAddress: null, remoteAddress: null, tls: null, via: null };
    return { id: Number(id), protocol: 'unknown', reused, ...unknown };
  }
  const end = row.ended === null ? null : jsonOf(row.ended, ConnectionEndSchema);
  const cells = { id, protocol, localAddress, remoteAddress, reused, tls: tlsOf(row.tls), via };
  return { ...(cells as ConnectionInfo), ...(end === null ? {} : { end }) };
}

/** Texts of TLS that are remembered. */
const MOST = 500;
const known = new Map<string, TlsInfo | null>();

/** A server's connections mostly have the same: checking its certificate each time took 40 microseconds. */
function tlsOf(text: unknown): TlsInfo | null {
  if (typeof text !== 'string') return null;
  const found = known.get(text);
  if (found !== undefined) return found;
  const tls = jsonOf(text, TlsInfoSchema);
  if (known.size >= MOST) known.clear();
  known.set(text, tls);
  return tls;
}

/** JSON that fits a schema, or null. */
function jsonOf<S extends v.GenericSchema>(text: unknown, schema: S): v.InferOutput<S> | null {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return parsed.success ? parsed.output : null;
}

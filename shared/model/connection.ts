import * as v from 'valibot';
import { ConnectionEndSchema } from './insight/connection-end.ts';
import { TlsInfoSchema } from './tls-info.ts';

/**
 * `http/1.0`, `http/1.1`, `h2`; `tunnel` where only bytes passed. ALPN's names, with additions. `h3` and `unknown` come
 * from imported files only.
 */
export const ProtocolSchema = v.picklist(['http/1.0', 'http/1.1', 'h2', 'tunnel', 'h3', 'unknown']);
export type Protocol = v.InferOutput<typeof ProtocolSchema>;

/** One end of a connection, `127.0.0.1:443` or `[::1]:443`; null while not connected. */
const SocketAddressSchema = v.nullable(v.string());

/** A connection that carried an exchange, on the client's side or upstream. */
export const ConnectionInfoSchema = v.object({
  /** Unique within a session; both sides draw from one sequence. */
  id: v.number(),
  protocol: ProtocolSchema,
  localAddress: SocketAddressSchema,
  remoteAddress: SocketAddressSchema,
  /** True where an earlier exchange had used the connection. */
  reused: v.boolean(),
  tls: v.nullable(TlsInfoSchema),
  /**
   * The upstream proxy that the connection goes through, `http://proxy.test:3128`, without credentials; null for none.
   */
  via: v.nullable(v.string()),
  /** Absent while it is open, and where the end was not recorded. */
  end: v.optional(ConnectionEndSchema),
});
export type ConnectionInfo = v.InferOutput<typeof ConnectionInfoSchema>;

import type { Acquiring } from './connect/try-connecting.ts';
import type { ConnectionUser } from './connection-user.ts';
import type { UpstreamConnection } from './upstream-stream.ts';

/** A request that needs an upstream connection. */
export interface Borrower extends Acquiring {
  /** Its client's connection. `sticky`: the upstream connection that carried its last request. */
  readonly user: ConnectionUser & { readonly sticky: UpstreamConnection | null };
  /** Whether the request may be sent again where a connection turns out to be dead. */
  readonly repeatable: boolean;
  /** Gets the connection, and begins its request on it before this returns. */
  connected(connection: UpstreamConnection): void;
  /** Gets a ConnectionError in place of a connection. */
  unconnected(error: unknown): void;
}

/** Whether this client's last request went over `connection`. */
export function isOwn({ user }: Borrower, connection: UpstreamConnection): boolean {
  return connection === user.sticky || connection.user === user;
}

/**
 * The index in `idle` of the connection for `borrower`, or -1. A client that keeps its connection keeps its upstream
 * connection, as it does without a proxy. The server may be closing an idle connection at this moment, so a request that
 * cannot be sent again goes only where its client would have sent it: on the connection that carried its last request.
 * `full`: no other connection may be opened, so a client may be deprived of its own.
 */
export function chooseIdle(idle: readonly UpstreamConnection[], borrower: Borrower, full: boolean): number {
  const { user, repeatable } = borrower;
  const sticky = user.sticky === null ? -1 : idle.lastIndexOf(user.sticky);
  if (sticky >= 0) return sticky;
  const own = idle.findLastIndex((each) => each.user === user);
  if (own >= 0 || !repeatable) return own;
  const unowned = idle.findLastIndex((each) => each.user === null || each.user.closed);
  if (unowned >= 0 || !full) return unowned;
  return idle.length > 0 ? 0 : -1;
}

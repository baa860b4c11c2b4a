import type { EngineContext } from '../engine-context.ts';
import type { ClientConnection } from '../http/client-stream.ts';
import type { RequestHead } from '../http/message.ts';
import type { Route } from '../route/routes.ts';
import { makeOrigin, type Origin } from '../upstream/origin.ts';

const HTTP1_ONLY = ['http/1.1'];

/**
 * What upstream is offered: the client's own list where HTTP/2 is on at both sides (mirrored; design, "HTTP/2"), HTTP/1.1
 * alone where it is off upstream, and both where it is off towards the client only.
 */
export function upstreamAlpn(settings: EngineContext['settings'], offered: readonly string[]): readonly string[] {
  if (!settings.http2Upstream) return offered.length > 0 ? HTTP1_ONLY : [];
  if (!settings.http2Client) return ['h2', 'http/1.1'];
  return offered;
}

/** Where an exchange's connection goes, by `route`. An Upgrade needs HTTP/1.1 whatever else is spoken (RFC 9110, section 7.8). */
export function requestOrigin(
  context: EngineContext,
  connection: ClientConnection,
  head: RequestHead,
  route: Route,
): Origin {
  const alpn = head.upgrade ? HTTP1_ONLY : upstreamAlpn(context.settings, connection.offeredAlpn);
  const { scheme, host, port } = head;
  const serverName = connection.serverName ?? host;
  return makeOrigin({ scheme, host, port, serverName, alpn: scheme === 'https' ? alpn : [] }, route);
}

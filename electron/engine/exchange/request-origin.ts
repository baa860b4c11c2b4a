import type { EngineContext } from '../engine-context.ts';
import type { ClientConnection } from '../http/client-stream.ts';
import type { RequestHead } from '../http/message.ts';
import type { Route } from '../route/route.ts';
import { makeOrigin, type Origin } from '../upstream/origin.ts';

const NO_ALPN: readonly string[] = [];
const HTTP1_ONLY = ['http/1.1'];
const HTTP2_ONLY = ['h2'];
const BOTH = ['h2', 'http/1.1'];

/**
 * The ALPN list for upstream: the client's own list if HTTP/2 is on at both sides (mirrored; design, "HTTP/2"),
 * HTTP/1.1 alone if it is off upstream, and both if it is off for the client only.
 */
export function upstreamAlpn(settings: EngineContext['settings'], offered: readonly string[]): readonly string[] {
  if (!settings.http2Upstream) return offered.length > 0 ? HTTP1_ONLY : NO_ALPN;
  if (!settings.http2Client) return BOTH;
  return offered;
}

function plainAlpn({ http2Upstream }: EngineContext['settings'], isHttp2: boolean): readonly string[] {
  return isHttp2 && http2Upstream ? HTTP2_ONLY : NO_ALPN;
}

/**
 * The ALPN list for one request. HTTP/2 without TLS stays HTTP/2: with prior knowledge to an `http` origin, by ALPN to
 * an `https` origin that a client requests from its proxy. An Upgrade always needs HTTP/1.1 (RFC 9110, section 7.8),
 * and so does the CONNECT of an HTTP/1.1 client: the tunnel is the rest of its connection.
 */
function requestAlpn(
  settings: EngineContext['settings'],
  { offeredAlpn }: ClientConnection,
  { method, scheme, version, upgrade, isMapped }: RequestHead,
): readonly string[] {
  const isHttp2 = version === 'HTTP/2.0';
  // A client's HTTP/2 implies nothing about a server that it did not request.
  if (scheme === 'http') return plainAlpn(settings, isHttp2 && !isMapped);
  if (upgrade) return HTTP1_ONLY;
  if (method === 'CONNECT' && !isHttp2 && !settings.http2Client) return HTTP1_ONLY;
  return upstreamAlpn(settings, isHttp2 && offeredAlpn.length === 0 ? BOTH : offeredAlpn);
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((each, index) => each === other[index]));
}

/** Whether `origin` matches the given parts: consecutive requests of a client mostly share their origin. */
function isThat(origin: Origin, of: Parameters<typeof makeOrigin>[0], route: Route, outward: boolean): boolean {
  return (
    origin.outward === outward &&
    origin.host === of.host &&
    origin.port === of.port &&
    origin.scheme === of.scheme &&
    origin.serverName === (route.override?.serverName || of.serverName) &&
    origin.proxy === route.proxy &&
    origin.otherProxies === route.others &&
    origin.override === route.override &&
    origin.reason === route.reason &&
    isSameList(origin.alpn, of.alpn)
  );
}

/** Whether requests of this client may only reach addresses outside this machine. */
export function isOutward({ settings }: EngineContext, { otherMachine }: ClientConnection): boolean {
  return otherMachine && !settings.devicesReachLocal;
}

/** The origin of an exchange's connection over `route`. */
export function requestOrigin(
  context: EngineContext,
  connection: ClientConnection,
  head: RequestHead,
  route: Route,
): Origin {
  const { scheme, host, port, isMapped } = head;
  const serverName = isMapped ? host : (connection.serverName ?? host);
  const of = { scheme, host, port, serverName, alpn: requestAlpn(context.settings, connection, head) };
  const outward = isOutward(context, connection);
  const last = connection.sticky?.origin;
  return last && isThat(last, of, route, outward) ? last : makeOrigin(of, route, outward);
}

/**
 * The origin of requests without TLS in a tunnel to `target` over `route`, equal to what `requestOrigin` returns for
 * each.
 */
export function plainOrigin(
  context: EngineContext,
  connection: ClientConnection,
  { host, port, spoken }: { host: string; port: number; spoken: 'http1' | 'http2' },
  route: Route,
): Origin {
  const serverName = connection.serverName ?? host;
  const alpn = plainAlpn(context.settings, spoken === 'http2');
  return makeOrigin({ scheme: 'http', host, port, serverName, alpn }, route, isOutward(context, connection));
}

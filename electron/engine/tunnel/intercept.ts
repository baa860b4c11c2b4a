import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Failure } from '../../../shared/model/failure.ts';
import type { ProxyResponse } from '../../../shared/model/proxy/upstream-route.ts';
import { describe, failure, RoundtripError } from '../../failures/errors.ts';
import type { EngineContext } from '../engine-context.ts';
import { upstreamAlpn } from '../exchange/request-origin.ts';
import type { Route } from '../route/route.ts';
import type { ClientHello } from '../tls/client-hello.ts';
import { ClientTlsError, readHelloUnless, terminateTls } from '../tls/terminate.ts';
import { ConnectionError } from '../upstream/connect/connection-error.ts';
import type { FailedOpening } from '../upstream/connect/failed-opening.ts';
import type { EarlySocket } from '../upstream/connect/open-way.ts';
import { makeOrigin, type Origin } from '../upstream/origin.ts';
import type { UpstreamConnection } from '../upstream/upstream-stream.ts';
import { discard, whenUpstreamStirs } from './hand-over.ts';

/** A tunnel whose TLS we terminated, ready for HTTP. */
export interface Intercepted {
  secure: TLSSocket;
  hello: ClientHello;
  offered: readonly string[];
  origin: Origin;
  /** The connection opened to learn upstream's protocol, for the first request; null if the protocol was known. */
  upstream: UpstreamConnection | null;
}

/** What is known of the path upstream before the client's TLS begins. */
export interface Way {
  origin: Origin;
  route: Route;
  early: EarlySocket | null;
  /** Whether TLS with this server name is not to be intercepted, although its tunnel is. */
  passes(serverName: string): boolean;
}

/** Why a tunnel could not be intercepted, with the attempts to reach upstream. */
export class InterceptError extends Error {
  override readonly name = 'InterceptError';
  readonly failure: Failure;
  readonly tries: readonly FailedOpening[];
  /** The upstream proxy's response when it did not open a tunnel. */
  readonly response: ProxyResponse | null;
  /** The client left before it received our certificate. */
  readonly unseen: boolean;

  constructor(of: Failure, tries: readonly FailedOpening[], response: ProxyResponse | null = null, unseen = false) {
    super(of.message);
    this.unseen = unseen;
    this.response = response;
    this.failure = of;
    this.tries = tries;
  }
}

const KNOWN = new Set(['h2', 'http/1.1', 'http/1.0']);

function failed(error: unknown): InterceptError {
  if (error instanceof ConnectionError) {
    const last = { startedAt: error.startedAt, endedAt: performance.now(), failure: error.failure };
    return new InterceptError(error.failure, [...error.earlier, last], error.response);
  }
  if (error instanceof ClientTlsError) return new InterceptError(error.failure, [], null, error.unseen);
  if (error instanceof RoundtripError) return new InterceptError(error.failure, []);
  return new InterceptError(failure('engine.internal', { detail: describe(error) }), []);
}

/** Upstream's choice from `origin.alpn`: remembered, or learned by opening the connection for the first request. */
async function upstreamChoice(
  context: EngineContext,
  origin: Origin,
  socket: Socket,
  early: EarlySocket | null,
): Promise<{ chosen: string | null; connection: UpstreamConnection | null }> {
  const known = context.chosenAlpn.get(origin);
  if (known !== undefined) {
    // No longer needed: an early connection would stay open unused.
    early?.then(
      ({ socket: unused }) => unused.destroy(),
      () => {},
    );
    return { chosen: known, connection: null };
  }
  const connection = await context.pool.open(
    origin,
    {
      get cancelled() {
        return socket.destroyed;
      },
    },
    early,
  );
  const chosen = connection.info.tls?.alpn ?? null;
  context.chosenAlpn.set(origin, chosen);
  context.pool.free(connection);
  return { chosen, connection };
}

function clientChoice(context: EngineContext, offered: readonly string[], upstream: string | null): string | null {
  const { http2Client, http2Upstream } = context.settings;
  if (http2Client && http2Upstream) return upstream !== null && offered.includes(upstream) ? upstream : null;
  if (http2Client && offered.includes('h2')) return 'h2';
  return offered.includes('http/1.1') ? 'http/1.1' : null;
}

/**
 * Reads the client's hello; null if the server speaks or ends before it is whole, as no TLS server does. A connection
 * that was opened early and is not needed any more is closed.
 */
async function helloOf(
  { socket, ahead }: { socket: Socket; ahead: Buffer },
  { host, silence }: { host: string; silence: number },
  early: EarlySocket | null,
): Promise<ClientHello | null> {
  const interruption = (cancel: () => void) => (early ? whenUpstreamStirs(early, cancel) : () => {});
  try {
    return await readHelloUnless(socket, ahead, { host, silence, interruption });
  } catch (error) {
    discard(early);
    throw error;
  }
}

/**
 * Terminates the TLS of a tunnel to `target`. For a new target, first connects upstream with the protocols that the
 * client offered: both sides then use the same protocol, and a failed upstream handshake also fails the client's.
 * Resolves with null if the client's TLS passes through: its bytes are back in the socket. Rejects with an
 * InterceptError.
 */
export async function intercept(
  context: EngineContext,
  { socket, ahead }: { socket: Socket; ahead: Buffer },
  target: { host: string; port: number },
  { route, early, origin: { outward }, passes }: Way,
): Promise<Intercepted | null> {
  const { clientSilence } = context.limits;
  try {
    const hello = await helloOf({ socket, ahead }, { host: target.host, silence: clientSilence }, early);
    if (hello === null || (hello.serverName !== null && passes(hello.serverName))) return null;
    const offered = hello.alpn.filter((name) => KNOWN.has(name));
    // Its client names other protocols only (RFC 7301): MQTT, PostgreSQL, ACME.
    if (hello.alpn.length > 0 && offered.length === 0) return null;
    const { host, port } = target;
    const alpn = upstreamAlpn(context.settings, offered);
    const origin = makeOrigin(
      { scheme: 'https', host, port, serverName: hello.serverName ?? host, alpn },
      route,
      outward,
    );
    const prepared = context.leaves.prepare(host, hello.serverName);
    const { chosen, connection } = await upstreamChoice(context, origin, socket, early);
    // The server may speak before the client's handshake is over.
    if (connection && offered.length === 0) connection.onFirstWord = () => {};
    await prepared;
    if (socket.destroyed) throw new ClientTlsError(failure('tls.client-closed', { host: target.host }), true);
    const leaf = context.leaves.contextFor(host, hello.serverName);
    const choice = clientChoice(context, offered, chosen);
    const secure = await terminateTls(socket, leaf, { alpn: choice, host, silence: clientSilence });
    return { secure, hello, offered, origin, upstream: connection };
  } catch (error) {
    throw failed(error);
  }
}

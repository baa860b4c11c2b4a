import type { Duplex } from 'node:stream';
import type { Failure } from '../../../../shared/model/failure.ts';
import { failure } from '../../../failures/errors.ts';
import { ConnectionError } from '../connect/connection-error.ts';
import { addressOf, type Origin } from '../origin.ts';
import { type ConnectResponse, recordedResponse } from './connect-response.ts';
import { ConnectionAuth } from './connection-auth.ts';
import type { ProxyLine } from './proxy-line.ts';
import type { UpstreamProxy } from './upstream-proxy.ts';

/** Learning a scheme, replacing it, renewing a nonce and NTLM's three messages: no proxy needs more rounds. */
const MOST_ROUNDS = 6;

function rejection(response: ConnectResponse, proxy: UpstreamProxy, target: string): Failure {
  const about = { address: addressOf(proxy), status: response.head.status, target };
  switch (response.head.status) {
    case 403:
      return failure('proxy.forbidden', about);
    case 502:
      return failure('proxy.bad-gateway', about);
    case 503:
      return failure('proxy.unavailable', about);
    case 504:
      return failure('proxy.gateway-timeout', about);
    default:
      return failure('proxy.connect-rejected', about);
  }
}

/**
 * What the proxy's response means: the tunnel is open, or must be requested again. Throws a ConnectionError otherwise.
 */
function verdictOf(
  response: ConnectResponse,
  auth: ConnectionAuth,
  proxy: UpstreamProxy,
  target: string,
): 'open' | 'again' | 'reconnect' {
  const { status } = response.head;
  // tinyproxy rejects a wrong password with 401, the origin's code; no origin can have responded to a CONNECT.
  const refused = status === 401 ? auth.refused() : null;
  const verdict = refused ?? auth.responded(response.head);
  const about = typeof verdict === 'object' ? verdict : null;
  if (about === null && verdict !== 'pass') return verdict as 'again' | 'reconnect';
  if (about === null && status >= 200 && status < 300) return 'open';
  const error = new ConnectionError(about ?? rejection(response, proxy, target), false);
  error.response = recordedResponse(response);
  throw error;
}

/** Rejects with a ConnectionError, marked as not retryable if a retry would send an unproven password again. */
async function ask(line: ProxyLine, auth: ConnectionAuth, target: string): Promise<ConnectResponse> {
  try {
    return await line.ask(target, auth.header('CONNECT', target));
  } catch (error) {
    if (error instanceof ConnectionError && error.retry && auth.guesses)
      throw new ConnectionError(error.failure, false);
    throw error;
  }
}

/**
 * Asks the HTTP proxy at the other end of `first` for a tunnel to the origin, and authenticates with the scheme that it
 * asks for. Resolves with the tunnel's stream, which runs over another line if the proxy closed the first with its
 * challenge. Rejects with a ConnectionError. It is retryable if the proxy closed before it responded, and not if the
 * proxy responded with anything but 2xx.
 */
export async function openProxyTunnel(
  first: ProxyLine,
  proxy: UpstreamProxy,
  origin: Pick<Origin, 'host' | 'port'>,
): Promise<Duplex> {
  const target = addressOf(origin);
  let line = first;
  let auth = new ConnectionAuth(proxy.authenticator);
  try {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      await auth.prepare();
      const response = await ask(line, auth, target);
      const verdict = verdictOf(response, auth, proxy, target);
      if (verdict === 'open') return line.tunnel;
      if (response.reusable && line.staysFor(verdict)) continue;
      line.destroy();
      line = await line.reopen();
      auth.close();
      auth = new ConnectionAuth(proxy.authenticator);
    }
    throw new ConnectionError(
      failure('proxy.wrong-password', { address: addressOf(proxy), scheme: proxy.authenticator.scheme ?? 'unknown' }),
      false,
    );
  } catch (error) {
    line.destroy();
    throw error;
  } finally {
    auth.close();
  }
}

import { once } from 'node:events';
import type { Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { CHECK_DOMAIN } from '../../shared/model/capture-check.ts';
import { lastReceived } from './last-received.ts';
import { openSocket } from './upstream/connect/open-socket.ts';
import { openTls, TlsSessions } from './upstream/connect/open-tls.ts';
import { askUnsent } from './upstream/h1/unsent-bytes.ts';
import { makeOrigin, type Origin } from './upstream/origin.ts';
import { verifyServerIdentity } from './upstream/trust/server-identity.ts';

/**
 * Belongs to no client. A request with it gets the response of a capture check, but is neither reported nor recorded.
 */
export const WARM_UP_TOKEN = '0'.repeat(32);
const HOST = `${WARM_UP_TOKEN}.${CHECK_DOMAIN}`;
/** Milliseconds; a warm-up takes about twenty. */
const TIME_LIMIT = 2000;
const NO_ROUTE = { proxy: null, others: [], reason: '', override: null };

function originOf(scheme: Origin['scheme'], host: string, port: number): Origin {
  return makeOrigin({ scheme, host, port, serverName: host, alpn: scheme === 'https' ? ['http/1.1'] : [] }, NO_ROUTE);
}

/** Sends a head and waits for the first bytes of the response. */
async function ask(socket: Socket, line: string): Promise<void> {
  const signal = AbortSignal.timeout(TIME_LIMIT);
  socket.write(`${line} HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`);
  await once(socket, 'data', { signal });
}

/**
 * Sends one request through a newly started engine, in a tunnel whose TLS ends here. At first use, V8 compiles and
 * OpenSSL looks up what both sides of an exchange need; a user's first request would wait 10 ms for it. Nothing leaves
 * the machine. Resolves with whether it succeeded; never rejects: a failure only makes the first exchange slower. `at`:
 * the engine's address. `certificatePem`: its CA.
 */
export async function warmUp(at: { host: string; port: number }, certificatePem: string): Promise<boolean> {
  // Loading the module that calls the system takes this thread 13 ms: otherwise a slow response or a large body would
  // do it during traffic.
  lastReceived();
  askUnsent();
  const everywhere = at.host === '0.0.0.0' || at.host === '::';
  // Connects to the proxy as a client does.
  const options = { nagle: false, connectTime: TIME_LIMIT, isOurs: () => false };
  let socket: Socket | null = null;
  try {
    const own = originOf('http', everywhere ? '127.0.0.1' : at.host, at.port);
    ({ socket } = await openSocket(own, options));
    await ask(socket, `CONNECT ${HOST}:443`);
    const secureContext = createSecureContext({ ca: certificatePem });
    const trust = { secureContext, rejectUnauthorized: true, checkServerIdentity: verifyServerIdentity };
    const { secure } = await openTls(socket, originOf('https', HOST, 443), trust, {
      sessions: new TlsSessions(),
      timeLimit: TIME_LIMIT,
    });
    await ask(secure, 'GET /');
    return true;
  } catch {
    // The port was closed meanwhile, or the connection failed: the next user of the port gets the reason.
    return false;
  } finally {
    socket?.destroy();
  }
}

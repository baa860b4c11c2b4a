import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls';
import { failure } from '../../../failures/errors.ts';
import { rememberBelow } from '../../tls/reset-below.ts';
import { addressOf, type Origin } from '../origin.ts';
import type { UpstreamTrust } from '../trust/server-trust.ts';
import { isCertified, rememberPeer, upstreamTlsFailure } from '../trust/server-trust-failure.ts';
import { tlsHandshake } from './tls-handshake.ts';

// Tickets are small, and one session rarely has more than a few hundred origins.
const SESSIONS_KEPT = 500;

/**
 * TLS sessions by origin. A second connection resumes one (RFC 8446, section 2.2), which saves a signature. Resumption
 * skips the certificate checks: a session made under another trust is never used. Tickets arrive late, possibly
 * after the trust has changed.
 */
export class TlsSessions {
  readonly #sessions = new Map<string, { session: Buffer; trust: UpstreamTrust }>();

  get(key: string, trust: UpstreamTrust): Buffer | undefined {
    const kept = this.#sessions.get(key);
    return kept?.trust === trust ? kept.session : undefined;
  }

  keep(key: string, session: Buffer, trust: UpstreamTrust): void {
    this.#sessions.delete(key);
    this.#sessions.set(key, { session, trust });
    if (this.#sessions.size <= SESSIONS_KEPT) return;
    const oldest = this.#sessions.keys().next();
    if (!oldest.done) this.#sessions.delete(oldest.value);
  }

  forget(key: string): void {
    this.#sessions.delete(key);
  }

  clear(): void {
    this.#sessions.clear();
  }
}

function optionsFor(
  socket: Duplex,
  origin: Origin,
  trust: UpstreamTrust,
  session: Buffer | undefined,
): ConnectionOptions {
  const options: ConnectionOptions = {
    socket,
    host: origin.serverName,
    secureContext: trust.secureContext,
    rejectUnauthorized: trust.rejectUnauthorized,
    checkServerIdentity: trust.checkServerIdentity,
  };
  if (isIP(origin.serverName) === 0) options.servername = origin.serverName;
  if (origin.alpn.length > 0) options.ALPNProtocols = [...origin.alpn];
  if (session) options.session = session;
  return options;
}

/**
 * Opens verified TLS over an open socket to the origin. `endedAt`: as `tlsHandshake`. Rejects with a ConnectionError.
 */
export async function openTls(
  socket: Duplex,
  origin: Origin,
  trust: UpstreamTrust,
  { sessions, timeLimit }: { sessions: TlsSessions; timeLimit: number },
): Promise<{ secure: TLSSocket; endedAt: number }> {
  const secure = connect(optionsFor(socket, origin, trust, sessions.get(origin.key, trust)));
  rememberPeer(secure);
  rememberBelow(secure, socket);
  const address = addressOf(origin);
  secure.on('session', (session) => sessions.keep(origin.key, session, trust));
  try {
    const endedAt = await tlsHandshake(secure, timeLimit, {
      failed: (error) => {
        const about = { host: origin.serverName, address, certified: isCertified(origin), socket: secure };
        return upstreamTlsFailure(error, about);
      },
      timedOut: () => failure('upstream.connect-timeout', { address, seconds: timeLimit / 1000 }, 'ETIMEDOUT'),
    });
    return { secure, endedAt };
  } catch (error) {
    sessions.forget(origin.key);
    throw error;
  }
}

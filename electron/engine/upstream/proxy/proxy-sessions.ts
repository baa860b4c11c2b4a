import type { TLSSocket } from 'node:tls';
import type { Limits } from '../../../../shared/model/limits.ts';
import type { ProxyAuthenticator } from './proxy-authenticator.ts';
import { ProxySession } from './proxy-session.ts';
import type { UpstreamProxy } from './upstream-proxy.ts';

/**
 * The HTTP/2 connections to proxies that support it. A tunnel through one costs one round trip and no separate TCP or
 * TLS handshake.
 */
export class ProxySessions {
  readonly #limits: () => Limits;
  /** By authenticator: a session carries the tunnels of one login. */
  readonly #sessions = new Map<ProxyAuthenticator, Set<ProxySession>>();
  readonly #all = new Set<ProxySession>();

  constructor(limits: () => Limits) {
    this.#limits = limits;
  }

  /** One that can carry another tunnel, or null. */
  find({ authenticator }: UpstreamProxy): ProxySession | null {
    for (const session of this.#sessions.get(authenticator) ?? []) if (session.hasRoom) return session;
    return null;
  }

  /** A session over TLS with a proxy that chose HTTP/2. */
  add(socket: TLSSocket, proxy: UpstreamProxy): ProxySession {
    const own = this.#sessions.get(proxy.authenticator) ?? new Set();
    const session = new ProxySession(socket, this.#limits(), () => {
      this.#all.delete(session);
      own.delete(session);
      if (own.size === 0 && this.#sessions.get(proxy.authenticator) === own) this.#sessions.delete(proxy.authenticator);
    });
    this.#sessions.set(proxy.authenticator, own.add(session));
    this.#all.add(session);
    return session;
  }

  /** The route upstream has changed: existing tunnels stay, new ones open a new session. */
  retire(): void {
    this.#sessions.clear();
    for (const session of this.#all) session.retire();
  }

  close(): void {
    for (const session of this.#all) session.destroy();
  }
}

import { type ProxyAddress, type ProxyScheme, proxyLabel } from '../../../../shared/format/proxy-url.ts';
import { LoginRefusals } from './login-refusals.ts';
import { ProxyAuthenticator, type TicketSource } from './proxy-authenticator.ts';
import type { ProxyLogin } from './proxy-login.ts';

/** A proxy on the route to an origin. */
export interface UpstreamProxy {
  scheme: ProxyScheme;
  host: string;
  port: number;
  login: ProxyLogin | null;
  /** `http://host:port`, for records: no credentials in it. */
  label: string;
  /** What is known about authenticating to it; shared by all connections with the same login. */
  authenticator: ProxyAuthenticator;
}

function loginOf({ user, password }: Pick<ProxyAddress, 'user' | 'password'>): ProxyLogin | null {
  return user === '' && password === '' ? null : { user, password };
}

/** An HTTP proxy accepts CONNECT and absolute-form; a SOCKS proxy carries any bytes. */
export function speaksHttp(proxy: UpstreamProxy): boolean {
  return proxy.scheme === 'http' || proxy.scheme === 'https';
}

/** Makes proxies, with one authenticator for each proxy and login no matter how often they are requested. */
export class UpstreamProxies {
  readonly #authenticators = new Map<string, ProxyAuthenticator>();
  readonly #refusals = new Map<string, LoginRefusals>();
  readonly #ticket: TicketSource;

  constructor(ticket: TicketSource) {
    this.#ticket = ticket;
  }

  /** `login`: used if the address contains no login. */
  make(address: ProxyAddress, login: ProxyLogin | null): UpstreamProxy {
    const { scheme, host, port } = address;
    // An address may contain only the user and leave the password to the login.
    const own = login?.user === address.user ? login : (loginOf(address) ?? login);
    const label = proxyLabel(address);
    const key = JSON.stringify([label, own?.user, own?.password]);
    let authenticator = this.#authenticators.get(key);
    if (!authenticator) {
      const unasked = scheme.startsWith('socks');
      const where = label.slice(label.indexOf('//') + 2);
      const refusals = this.#refusalsOf(own);
      authenticator = new ProxyAuthenticator({
        address: where,
        host,
        login: own,
        ticket: this.#ticket,
        unasked,
        refusals,
      });
      this.#authenticators.set(key, authenticator);
    }
    return { scheme, host, port, login: own, label, authenticator };
  }

  #refusalsOf(login: ProxyLogin | null): LoginRefusals {
    const key = JSON.stringify([login?.user, login?.password]);
    const known = this.#refusals.get(key) ?? new LoginRefusals();
    this.#refusals.set(key, known);
    return known;
  }

  /** Forgets earlier refusals: the user wants another attempt. */
  forget(): void {
    for (const authenticator of this.#authenticators.values()) authenticator.forget();
  }
}

import { canonicalHost, isNameOfThisMachine, isThisMachine } from './local-addresses.ts';

/** By name or by number; not looked up. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Our own listening addresses, which a proxied request must not reach: it would go round for ever, or into our UI. */
export class OwnAddresses {
  readonly #ports: Set<number>;
  readonly #names: Set<string>;

  /** `authorities`: `host:port` each. */
  constructor(authorities: readonly string[]) {
    this.#ports = new Set(authorities.map((each) => Number(each.slice(each.lastIndexOf(':') + 1))));
    this.#names = new Set(
      authorities.map((each) => canonicalHost(each.slice(0, each.lastIndexOf(':')).replace(/^\[|\]$/g, ''))),
    );
  }

  /** However the host is spelled. Whether another name resolves to one of ours is decided once it is resolved. */
  includes(host: string, port: number): boolean {
    if (!this.#ports.has(port)) return false;
    const name = canonicalHost(host);
    return this.#names.has(name) || isNameOfThisMachine(name) || isThisMachine(name);
  }
}

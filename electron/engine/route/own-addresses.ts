import { canonicalHost, isNameOfThisMachine, isThisMachine } from './local-addresses.ts';

/** Checks names and addresses without resolving them. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Our own listening addresses. Proxied requests must not reach them: they would loop forever, or reach our UI. */
export class OwnAddresses {
  readonly #ports: Set<number>;
  readonly #names: Set<string>;

  /** `authorities`: each `host:port`. */
  constructor(authorities: readonly string[]) {
    this.#ports = new Set(authorities.map((each) => Number(each.slice(each.lastIndexOf(':') + 1))));
    this.#names = new Set(
      authorities.map((each) => canonicalHost(each.slice(0, each.lastIndexOf(':')).replace(/^\[|\]$/g, ''))),
    );
  }

  /** Handles any spelling of the host. Names that resolve to our addresses are checked after resolution. */
  includes(host: string, port: number): boolean {
    if (!this.#ports.has(port)) return false;
    const name = canonicalHost(host);
    return this.#names.has(name) || isNameOfThisMachine(name) || isThisMachine(name);
  }
}

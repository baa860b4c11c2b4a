import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

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
    this.#names = new Set(authorities.map((each) => each.slice(0, each.lastIndexOf(':')).toLowerCase()));
  }

  includes(host: string, port: number): boolean {
    if (!this.#ports.has(port)) return false;
    // A socket of both families names an IPv4 address so (RFC 4291, section 2.5.5.2).
    const name = host.toLowerCase().replace(/^::ffff:(?=[\d.]+$)/, '');
    if (isLoopback(name) || name === '0.0.0.0' || name === '::' || this.#names.has(name)) return true;
    if (isIP(name) === 0) return false;
    return Object.values(networkInterfaces()).some((list) => list?.some((each) => each.address === name));
  }
}

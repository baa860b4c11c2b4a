import { BlockList, isIP } from 'node:net';
import { hostPattern } from '../rules/host-pattern.ts';

interface Rule {
  text: string;
  matches(host: string, port: number): boolean;
}

/** Parses `10.0.0.0/8`, `fd00::/8` and macOS's short form `169.254/16`; null for anything else. */
function network(text: string): Rule['matches'] | null {
  const [address = '', bits = '', more] = text.split('/');
  if (!/^\d{1,3}$/.test(bits) || more !== undefined) return null;
  const full = /^[\d.]+$/.test(address) ? [...address.split('.'), '0', '0', '0'].slice(0, 4).join('.') : address;
  const version = isIP(full);
  if (version === 0 || Number(bits) > (version === 4 ? 32 : 128)) return null;
  const list = new BlockList();
  list.addSubnet(full, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
  return (host) => isIP(host) !== 0 && list.check(host, isIP(host) === 4 ? 'ipv4' : 'ipv6');
}

/** Splits `host:8080`; an IPv6 literal has a port only if it is in brackets. */
function splitPort(text: string): { name: string; port: number | null } {
  const parts = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(text);
  if (!parts) return { name: text, port: null };
  return { name: (parts[1] ?? '').replace(/^\[|\]$/g, ''), port: parts[2] ? Number(parts[2]) : null };
}

function named(text: string): Rule['matches'] {
  const { name, port } = splitPort(text);
  const atPort = (given: number): boolean => port === null || port === given;
  if (name.includes('*')) {
    const pattern = hostPattern(name);
    return (host, given) => pattern.test(host) && atPort(given);
  }
  // As in curl and wget: a name, with or without a leading dot, matches itself and all its subdomains.
  const suffix = name.replace(/^\./, '').replace(/\.$/, '');
  return (host, given) => (host === suffix || host.endsWith(`.${suffix}`)) && atPort(given);
}

function ruleOf(entry: string): Rule | null {
  const text = entry.trim().toLowerCase();
  if (text === '') return null;
  if (text === '*') return { text, matches: () => true };
  // Windows: names without a dot.
  if (text === '<local>') return { text, matches: (host) => !host.includes('.') && isIP(host) === 0 };
  // A single exact host: bypass lists of Windows and macOS don't include subdomains.
  if (text.startsWith('=')) return { text: text.slice(1), matches: (host) => host === text.slice(1) };
  return { text, matches: network(text) ?? named(text) };
}

/**
 * A list of hosts that bypass the proxy, as curl reads NO_PROXY (lib/noproxy.c): `example.com` and `.example.com` with
 * all subdomains, networks (`10.0.0.0/8`), addresses, and `*` for all hosts. In addition: `*` within a name, a port,
 * `<local>`, and `=name` for exactly that host. Case-insensitive. Invalid entries match nothing.
 */
export class BypassList {
  readonly #rules: readonly Rule[];

  constructor(entries: readonly string[]) {
    this.#rules = entries.flatMap((entry) => entry.split(/[,\s;]+/)).flatMap((entry) => ruleOf(entry) ?? []);
  }

  get empty(): boolean {
    return this.#rules.length === 0;
  }

  /** The entry that matches the host, or null. */
  find(host: string, port: number): string | null {
    const name = host.toLowerCase().replace(/\.$/, '');
    return this.#rules.find((rule) => rule.matches(name, port))?.text ?? null;
  }
}

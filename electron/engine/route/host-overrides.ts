import type { HostOverride } from '../../../shared/model/settings.ts';
import { type HostPattern, hostPattern } from '../rules/host-pattern.ts';

/** Per-host settings; the first matching pattern applies. */
export class HostOverrides {
  readonly #rules: readonly { pattern: HostPattern; override: HostOverride }[];

  constructor(overrides: readonly HostOverride[]) {
    this.#rules = overrides.map((override) => ({ pattern: hostPattern(override.host), override }));
  }

  find(host: string): HostOverride | null {
    if (this.#rules.length === 0) return null;
    return this.#rules.find(({ pattern }) => pattern.test(host))?.override ?? null;
  }
}

/** Describes the changes for the record, except the proxy, which the route's reason covers. */
export function describeOverride({
  host,
  address,
  serverName,
  minTls,
  clientCertificate,
  skipVerification,
}: HostOverride): string {
  const changes = [
    address === '' ? '' : `connected to ${address}`,
    serverName === '' ? '' : `SNI ${serverName}`,
    minTls === '' ? '' : `${minTls} at least`,
    clientCertificate === '' ? '' : `client certificate ${clientCertificate}`,
    skipVerification ? 'any certificate accepted' : '',
  ].filter(Boolean);
  return `${host}: ${changes.join(', ') || 'its proxy only'}`;
}

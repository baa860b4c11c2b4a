import type { HostOverride } from '../../../shared/model/settings.ts';
import { type HostPattern, hostPattern } from '../rules/host-pattern.ts';

/** The rules of single hosts; the first that names one counts. */
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

/** What it changes, for the record; its proxy is told by the route's own reason. */
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

import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { Failure } from '../../../../shared/model/failure.ts';
import { failure } from '../../../failures/errors.ts';
import { canonicalHost, isLocalAddress, isNameOfThisMachine, isThisMachine } from '../../route/local-addresses.ts';
import { addressOf, type Origin, placeOf } from '../origin.ts';
import { ConnectionError } from './connection-error.ts';

/** What is ours of all that listens on this machine. */
export interface Ours {
  /** Whether Roundtrip itself, or its UI, listens there. */
  isOurs(host: string, port: number): boolean;
}

function refusal(origin: Origin, code: 'tunnel.to-itself' | 'client.local-refused'): Failure {
  return failure(code, { authority: addressOf(origin) });
}

/**
 * Why no connection for `origin` may go to this address, which is what its host resolved to; null where one may. Decided on
 * addresses, for a name can resolve to anything, and to something else the next time.
 */
export function barred(origin: Origin, address: string, { isOurs }: Ours): Failure | null {
  if (isOurs(address, origin.port)) return refusal(origin, 'tunnel.to-itself');
  return origin.outward && isLocalAddress(address) ? refusal(origin, 'client.local-refused') : null;
}

/** The addresses that a connection may go to, of those that its host resolved to, or why there is none. */
export function reachable(
  origin: Origin,
  addresses: readonly LookupAddress[],
  ours: Ours,
): readonly LookupAddress[] | Failure {
  const allowed = addresses.filter(({ address }) => barred(origin, address, ours) === null);
  const [first] = addresses;
  return (allowed.length === 0 && first && barred(origin, first.address, ours)) || allowed;
}

/**
 * Where a proxy connects in our place, it resolves the name. What the name says is checked for every proxy. A proxy on this
 * machine reaches what we reach, and nobody else's proxy should be asked for our own ports: there the name is resolved here
 * too. One that only the proxy can resolve is the proxy's to judge. Rejects with a ConnectionError.
 */
export async function checkProxyTarget(origin: Origin, proxyAddress: string | undefined, ours: Ours): Promise<void> {
  const place = placeOf(origin);
  const name = canonicalHost(place.host);
  const named = origin.outward && isNameOfThisMachine(name) ? refusal(origin, 'client.local-refused') : null;
  const about = barred(origin, name, ours) ?? named;
  if (about) throw new ConnectionError(about, false);
  const byAddress = origin.outward && proxyAddress !== undefined && isThisMachine(proxyAddress);
  if (isIP(name) !== 0 || !(byAddress || ours.isOurs('localhost', place.port))) return;
  const found = await dns.lookup(name, { all: true }).catch(() => []);
  for (const { address } of found) {
    const reason = barred(origin, address, ours);
    if (reason) throw new ConnectionError(reason, false);
  }
}

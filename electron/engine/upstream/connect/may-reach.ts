import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { Failure } from '../../../../shared/model/failure.ts';
import { failure } from '../../../failures/errors.ts';
import { canonicalHost, isLocalAddress, isNameOfThisMachine, isThisMachine } from '../../route/local-addresses.ts';
import { addressOf, type Origin, placeOf } from '../origin.ts';
import { ConnectionError } from './connection-error.ts';

/** Identifies Roundtrip's own listeners on this machine. */
export interface Ours {
  /** Whether Roundtrip itself, or its UI, listens there. */
  isOurs(host: string, port: number): boolean;
}

function refusal(origin: Origin, code: 'tunnel.to-itself' | 'client.local-refused'): Failure {
  return failure(code, { authority: addressOf(origin) });
}

/**
 * Why a connection for `origin` must not go to `address`, one of the addresses its host resolved to; null if it may.
 * The check uses addresses because a name can resolve to anything, and to something else the next time.
 */
export function barred(origin: Origin, address: string, { isOurs }: Ours): Failure | null {
  if (isOurs(address, origin.port)) return refusal(origin, 'tunnel.to-itself');
  return origin.outward && isLocalAddress(address) ? refusal(origin, 'client.local-refused') : null;
}

/**
 * The same for a connection that is open. A system connects to its own address from that same address: this finds
 * those that are not listed anywhere.
 */
export function barredEnds(
  origin: Origin,
  { localAddress, remoteAddress }: { localAddress?: string | undefined; remoteAddress?: string | undefined },
  { isOurs }: Ours,
): Failure | null {
  if (remoteAddress === undefined || localAddress !== remoteAddress) return null;
  if (isOurs('localhost', origin.port)) return refusal(origin, 'tunnel.to-itself');
  return origin.outward ? refusal(origin, 'client.local-refused') : null;
}

/** The permitted ones of the addresses that the host resolved to; or why there are none. */
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
 * Checks an origin to which a proxy connects for us; that proxy resolves the name. The name itself is checked for every
 * proxy. A proxy on this machine can reach what we can reach, and no other proxy should be asked for our own ports:
 * in both cases Roundtrip resolves the name too. A name that only the proxy can resolve is left to the proxy. Rejects
 * with a ConnectionError.
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

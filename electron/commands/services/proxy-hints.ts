import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { parseProxyUrl, proxyLabel, urlWithoutLogin } from '../../../shared/format/proxy-url.ts';
import type { SystemProxy } from '../../../shared/model/proxy/proxy-facts.ts';
import type { ProxyHints } from '../../../shared/model/proxy/proxy-hints.ts';
import type { ReadWpadPlaces } from './find-pac.ts';

/** The user waits for the dialog meanwhile. Milliseconds. */
const TIME_LIMIT = 3_000;

/** None of the functions may reject. */
export interface HintSources {
  readSystem: () => Promise<SystemProxy | null>;
  readAutoDetect: () => Promise<string | null>;
  readWpadPlaces: ReadWpadPlaces;
  /** Whether a name has an address. */
  resolves?: (host: string) => Promise<boolean>;
}

async function hasAddress(host: string): Promise<boolean> {
  return await lookup(host).then(
    () => true,
    () => false,
  );
}

/** The address for display, without the login; null if it can't be parsed. */
function shownAddress(address: string): string | null {
  try {
    return proxyLabel(parseProxyUrl(address));
  } catch {
    return null;
  }
}

function systemHint(system: SystemProxy | null): ProxyHints['system'] {
  if (!system) return null;
  const { from, http, https, other, pac } = system;
  const address = https ?? http ?? other;
  const names = pac === null ? address && shownAddress(address) : urlWithoutLogin(pac);
  return names === null ? null : { from, names };
}

/** The first place that DHCP names by IP address, or whose host name resolves. Sends no request to it. */
async function firstPlace(
  places: readonly string[],
  resolves: (host: string) => Promise<boolean>,
): Promise<string | null> {
  const found = await Promise.all(
    places.map(async (place) => {
      const { hostname } = new URL(place);
      return isIP(hostname) !== 0 || (await resolves(hostname));
    }),
  );
  return places.find((_place, index) => found[index]) ?? null;
}

/**
 * What this machine and its network announce about proxies. Never rejects; omits what takes longer than three seconds.
 */
export async function findProxyHints(sources: HintSources): Promise<ProxyHints> {
  const { readSystem, readAutoDetect, readWpadPlaces, resolves = hasAddress } = sources;
  const timers: NodeJS.Timeout[] = [];
  const inTime = async <T>(work: Promise<T>): Promise<T | null> =>
    await Promise.race([
      work,
      new Promise<null>((resolve) => timers.push(setTimeout(() => resolve(null), TIME_LIMIT))),
    ]);
  const [system, detectBy, wpadPlace] = await Promise.all([
    inTime(readSystem()),
    inTime(readAutoDetect()),
    inTime(readWpadPlaces().then((places) => firstPlace(places, resolves))),
  ]);
  for (const timer of timers) clearTimeout(timer);
  return { system: systemHint(system), detectBy, wpadPlace };
}

import type { ProxyFacts } from '../../../shared/model/proxy/proxy-facts.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import { readPacText } from './read-pac.ts';

/** Returns the URLs where a PAC file may be according to WPAD, the likeliest first. */
export type ReadWpadPlaces = () => Promise<string[]>;

/** For each place, in milliseconds: there may be several, and the first request waits for all. */
const TIME_LIMIT = 3_000;

/** DNS servers and captive portals that answer for every name also answer for `wpad` (Chromium: LooksLikePacScript). */
function checked(script: string): string {
  if (!script.includes('FindProxyForURL')) throw new Error('the file there is not a PAC file');
  return script;
}

/**
 * Finds the network's PAC file (WPAD), at the first place that has one. Rejects with `proxy.wpad-no-domain` or
 * `proxy.wpad-not-found`.
 */
export async function findPac(readPlaces: ReadWpadPlaces): Promise<NonNullable<ProxyFacts['pac']>> {
  const places = await readPlaces();
  if (places.length === 0) throw roundtripError('proxy.wpad-no-domain', {});
  const tried: string[] = [];
  for (const from of places) {
    try {
      return { from, script: checked(await readPacText(from, TIME_LIMIT)) };
    } catch (error) {
      tried.push(`${from} (${describe(error)})`);
    }
  }
  throw roundtripError('proxy.wpad-not-found', { tried: tried.join(', ') });
}

import type { ProxyFacts } from '../../../shared/model/proxy/proxy-facts.ts';
import { describe, roundtripError } from '../../failures/errors.ts';
import { readPacText } from './read-pac.ts';

/** Where WPAD says that a PAC file may be: URLs, the likeliest first. */
export type ReadWpadPlaces = () => Promise<string[]>;

/** There may be several places, and a first request waits for all; milliseconds each. */
const TIME_LIMIT = 3_000;

/** Name servers and portals that answer for every name answer for `wpad` too (Chromium: LooksLikePacScript). */
function checked(script: string): string {
  if (!script.includes('FindProxyForURL')) throw new Error('what is there is no PAC file');
  return script;
}

/**
 * The PAC file that the network names (WPAD): the first place that has one. Rejects with `proxy.wpad-no-domain` or
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

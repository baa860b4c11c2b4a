import type { Fact } from '../fact.ts';
import { groupBy } from '../group-by.ts';
import { acceptsTrailers, reachesClient } from './trailers.ts';

/** What one client of a session did with trailers. Each figure counts exchanges. */
export interface TrailerClient {
  /** Its User-Agent; empty if it sends none. */
  client: string;
  exchanges: number;
  /** Their requests have `TE: trailers` (RFC 9110, section 10.1.4). */
  accepting: number;
  /** Upstream sent trailers. */
  received: number;
  /** Of those, the ones whose trailers reached the client. */
  arrived: number;
}

/** The clients that accept trailers or were sent some, in the order of their first exchange. */
export function trailerClients(facts: readonly Fact[]): TrailerClient[] {
  const clients = groupBy(facts, ({ request }) => request['user-agent'] ?? '');
  return [...clients].flatMap(([client, of]) => {
    const accepting = of.filter(({ request }) => acceptsTrailers(request.te ?? '')).length;
    const sent = of.filter(({ trailers }) => trailers > 0);
    const arrived = sent.filter(({ state, clientProtocol, isSized }) =>
      reachesClient(state, clientProtocol, isSized),
    ).length;
    if (accepting === 0 && sent.length === 0) return [];
    return [{ client, exchanges: of.length, accepting, received: sent.length, arrived }];
  });
}

/** One sentence. */
export function trailerClientSentence({ client, exchanges, accepting, received, arrived }: TrailerClient): string {
  const who = client === '' ? 'A client without User-Agent' : client;
  const asked = `${who} accepts trailers in ${accepting} of ${exchanges} exchanges`;
  if (received === 0) return `${asked}; none were sent.`;
  return `${asked}; upstream sent trailers in ${received}, which reached the client in ${arrived}.`;
}

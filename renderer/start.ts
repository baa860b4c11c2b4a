import { hostTransport } from './platform/host-transport.ts';
import { callsAhead, TransportAhead } from './platform/transport-ahead.ts';
import { FIRST_CALLS } from './sync/first-calls.ts';

const first = callsAhead(FIRST_CALLS);

/**
 * The window's connection to its host, and the first thing that the page runs: a script of 3 KB, before the browser has
 * loaded the others. The first rows arrive while it compiles those.
 */
export const transport = new TransportAhead(hostTransport(first), first);

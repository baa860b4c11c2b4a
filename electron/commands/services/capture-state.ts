import type { Sighting } from '../../../shared/model/capture-check.ts';
import type { Client } from '../../../shared/model/client.ts';
import { failure } from '../../failures/errors.ts';

/** What happens to a client. `late`: its time for the check is over; `hint` names what may have prevented it. */
export type ClientEvent =
  | { kind: 'sighting'; sighting: Pick<Sighting, 'step' | 'detail'> }
  | { kind: 'late'; seconds: number; hint: string }
  | { kind: 'start-failed'; failure: Client['failure'] }
  | { kind: 'ended'; exitCode: number | null }
  | { kind: 'check-again' };

const NO_SECURE = 'its request over TLS failed. Trust the CA in the certificate store that it uses.';

/** Whether the client's own requests identify it. Its check then only proves that its environment is set up. */
const hasProgramPort = ({ kind }: Client): boolean => kind === 'terminal' || kind === 'command';

const heardNothing = ({ state, failure: of }: Client): boolean =>
  state === 'starting' || state === 'ready' || of?.code === 'capture.not-seen';

function notTrusted(client: Client, detail: string): Client {
  // A reason from the handshake is more specific than a check page without a response.
  if (client.failure?.code === 'capture.not-trusted') return client;
  return { ...client, state: 'failed', failure: failure('capture.not-trusted', { name: client.name, detail }) };
}

/** A request of the check. For a program with its own port it proves only the environment, which it may ignore. */
function checked(client: Client): Client {
  const next = hasProgramPort(client) ? 'ready' : 'captured';
  return client.state === 'starting' ? { ...client, state: next } : client;
}

function checkedSecurely(client: Client): Client {
  if (!hasProgramPort(client)) return { ...client, state: 'trusted', failure: null };
  const isBetter = client.state === 'starting' || client.failure !== null;
  return isBetter && client.failure?.code !== 'capture.host-refused'
    ? { ...client, state: 'ready', failure: null }
    : client;
}

/** The program rejected our certificate for one host. If it accepts it for others, this is only a warning. */
function refusedOne(client: Client, detail: string): Client {
  const about = failure('capture.host-refused', { name: client.name, detail });
  return client.state === 'trusted' ? { ...client, warning: about } : { ...client, state: 'failed', failure: about };
}

function requestedSecurely(client: Client): Client {
  const { failure: of, warning } = client;
  const refused = of?.code === 'capture.host-refused' ? of : warning;
  return { ...client, state: 'trusted', failure: null, warning: refused };
}

function sighted(client: Client, { step, detail }: Pick<Sighting, 'step' | 'detail'>): Client {
  switch (step) {
    case 'plain':
      return checked(client);
    case 'secure':
      return checkedSecurely(client);
    case 'refused':
      return notTrusted(client, detail);
    case 'no-secure':
      return client.state === 'trusted' ? client : notTrusted(client, NO_SECURE);
    case 'loopback':
      return client.warning?.code === 'capture.loopback-bypassed' ? { ...client, warning: null } : client;
    case 'no-loopback':
      return { ...client, warning: failure('capture.loopback-bypassed', { name: client.name }) };
    case 'request':
      return heardNothing(client) ? { ...client, state: 'captured', failure: null } : client;
    case 'secure-request':
      return requestedSecurely(client);
    case 'refused-request':
      return refusedOne(client, detail);
  }
}

function endedWith(client: Client, exitCode: number | null): Client {
  const silent = client.kind === 'command' && heardNothing(client);
  const warning = silent ? failure('capture.none-came', { name: client.name }) : client.warning;
  return { ...client, state: 'ended', was: client.state, exitCode, warning };
}

/** Reports about a short-lived command can arrive after it has ended. */
function heardAfterEnd(client: Client, sighting: Pick<Sighting, 'step' | 'detail'>): Client {
  const warning = client.warning?.code === 'capture.none-came' ? null : client.warning;
  const next = sighted({ ...client, state: client.was ?? 'starting', warning }, sighting);
  return endedWith(next, client.exitCode);
}

/** Returns the client after an event. An ended client stays ended; a failed one can still be captured. */
export function nextClient(client: Client, event: ClientEvent): Client {
  if (client.state === 'ended')
    return event.kind === 'sighting' && hasProgramPort(client) ? heardAfterEnd(client, event.sighting) : client;
  switch (event.kind) {
    case 'sighting':
      return sighted(client, event.sighting);
    case 'late': {
      const { seconds, hint } = event;
      if (client.state === 'captured' && !hasProgramPort(client)) return notTrusted(client, NO_SECURE);
      if (client.state !== 'starting') return client;
      return { ...client, state: 'failed', failure: failure('capture.not-seen', { name: client.name, seconds, hint }) };
    }
    case 'start-failed':
      // A terminal that has sent a request did start, regardless of its exit code.
      if (client.state !== 'starting') return client;
      return { ...client, state: 'failed', failure: event.failure };
    case 'ended':
      return endedWith(client, event.exitCode);
    case 'check-again':
      return { ...client, state: hasProgramPort(client) ? 'ready' : 'starting', failure: null, warning: null };
  }
}

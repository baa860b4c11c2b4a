import type { Sighting } from '../../shared/model/capture-check.ts';
import type { Client } from '../../shared/model/client.ts';
import { failure } from '../engine/errors.ts';

/** What happens to a client. `late`: its time for the check is over; `hint` says what may be in the way. */
export type ClientEvent =
  | { kind: 'sighting'; sighting: Pick<Sighting, 'step' | 'detail'> }
  | { kind: 'late'; seconds: number; hint: string }
  | { kind: 'start-failed'; failure: Client['failure'] }
  | { kind: 'ended'; exitCode: number | null }
  | { kind: 'check-again' };

const NO_SECURE = 'its request over TLS did not get through. Trust the CA in the store that it reads.';

function notTrusted(client: Client, detail: string): Client {
  // What it said in its handshake is more than that its page saw nothing.
  if (client.failure?.code === 'capture.not-trusted') return client;
  return { ...client, state: 'failed', failure: failure('capture.not-trusted', { name: client.name, detail }) };
}

function sighted(client: Client, { step, detail }: Pick<Sighting, 'step' | 'detail'>): Client {
  switch (step) {
    case 'plain':
      return client.state === 'starting' ? { ...client, state: 'captured' } : client;
    case 'secure':
      return { ...client, state: 'trusted', failure: null };
    case 'refused':
      return notTrusted(client, detail);
    case 'no-secure':
      return client.state === 'trusted' ? client : notTrusted(client, NO_SECURE);
    case 'loopback':
      return { ...client, warning: null };
    case 'no-loopback':
      return { ...client, warning: failure('capture.loopback-bypassed', { name: client.name }) };
  }
}

/** A client after an event. One that has ended stays so; one that failed may still come through. */
export function nextClient(client: Client, event: ClientEvent): Client {
  if (client.state === 'ended') return client;
  switch (event.kind) {
    case 'sighting':
      return sighted(client, event.sighting);
    case 'late': {
      const { seconds, hint } = event;
      if (client.state === 'captured') return notTrusted(client, NO_SECURE);
      if (client.state !== 'starting') return client;
      return { ...client, state: 'failed', failure: failure('capture.not-seen', { name: client.name, seconds, hint }) };
    }
    case 'start-failed':
      // A terminal that showed signs of life did start, whatever it ends with.
      if (client.state !== 'starting') return client;
      return { ...client, state: 'failed', failure: event.failure };
    case 'ended':
      return { ...client, state: 'ended', exitCode: event.exitCode };
    case 'check-again':
      return { ...client, state: 'starting', failure: null, warning: null };
  }
}

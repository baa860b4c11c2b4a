import type { Duplex } from 'node:stream';
import type { ExchangeLog } from './exchange-log.ts';
import { type Broken, splice } from './splice.ts';

interface Side {
  socket: Duplex;
  ahead: Buffer;
}

/** After a 101: joins the two connections, and records what passes as the two bodies of the exchange. */
export function joinUpgraded(client: Side, upstream: Side, log: ExchangeLog, closed: (broken: Broken | null) => void) {
  log.exchange.kind = 'upgrade';
  const control = splice(client, upstream, {
    bytes: (from, chunk) => {
      const open = log.body(from === 'client' ? 'request' : 'response', [chunk]);
      if (!open) log.onDrain(() => control.resume(from));
      return open;
    },
    closed: (broken) => {
      for (const message of [log.exchange.request, log.exchange.response]) if (message) message.body.complete = true;
      closed(broken);
    },
  });
  log.changed();
  return {
    cancel: (): void => {
      client.socket.destroy();
      upstream.socket.destroy();
    },
  };
}

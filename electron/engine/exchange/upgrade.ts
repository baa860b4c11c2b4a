import type { Lane } from '../rules/throttle/lane.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { waitsOf } from './pace/tunnel-pace.ts';
import { type SplicedSide, type SpliceHandlers, splice } from './splice.ts';

/** After a 101, or a 2xx to CONNECT: joins the two connections, and records the bytes as the exchange's two bodies. */
export function joinUpgraded(
  client: SplicedSide,
  upstream: SplicedSide,
  { halfOpenTime, lane }: { halfOpenTime: number; lane: Lane | null },
  log: ExchangeLog,
  closed: SpliceHandlers['closed'],
) {
  log.exchange.kind = 'upgrade';
  const control = splice(client, upstream, halfOpenTime, {
    bytes: (from, chunk) => {
      const open = log.body(from === 'client' ? 'request' : 'response', [chunk]);
      if (!open) log.onDrain(() => control.resume(from));
      return open;
    },
    ...(lane && { waits: waitsOf(lane) }),
    closed: (spliceError) => {
      for (const message of [log.exchange.request, log.exchange.response]) if (message) message.body.complete = true;
      closed(spliceError);
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

import type { ClientStream } from '../http/client-stream.ts';
import type { Lane } from '../rules/throttle/lane.ts';
import type { UpstreamStream } from '../upstream/upstream-stream.ts';
import type { ExchangeLog } from './exchange-log.ts';
import { waitsOf } from './pace/tunnel-pace.ts';
import { type SpliceError, type SpliceHandlers, splice, spliceFailure } from './splice.ts';

interface UpgradeHandlers {
  /** The response's head was written to the client. */
  out(): void;
  closed: SpliceHandlers['closed'];
}

/**
 * After a 101, or a 2xx to CONNECT: joins the two connections, and records the bytes as the exchange's two bodies.
 * Throws if one side has no connection of its own.
 */
export function joinUpgraded(
  clientStream: ClientStream,
  upstreamStream: UpstreamStream | null,
  { halfOpenTime, lane }: { halfOpenTime: number; lane: Lane | null },
  log: ExchangeLog,
  handlers: UpgradeHandlers,
): { cancel(): void } {
  const client = clientStream.upgrade();
  handlers.out();
  const upstream = upstreamStream?.upgrade();
  if (!client || !upstream) throw new Error('an upgrade without two HTTP/1.1 connections');
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
      handlers.closed(spliceError);
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

/** Ends the record of an upgraded exchange. `spliceError`: the first error of its connections, or null. */
export function endUpgraded(log: ExchangeLog, spliceError: SpliceError | null): void {
  const about = spliceError && spliceFailure(spliceError, log.exchange.request.authority);
  log.end(spliceError?.by === 'client' ? 'aborted' : 'complete', about);
}

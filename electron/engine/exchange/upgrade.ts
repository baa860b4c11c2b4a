import type { ClientStream } from '../http/client-stream.ts';
import { asksForWebSocket, webSocketReader } from '../rules/messages/stream-reader.ts';
import type { UpstreamStream } from '../upstream/upstream-stream.ts';
import type { ExchangeLog } from './exchange-log.ts';
import type { ExchangePipes } from './exchange-pipes.ts';
import { waitsOf } from './pace/tunnel-pace.ts';
import { type SpliceError, type SpliceHandlers, splice, spliceFailure } from './splice.ts';

interface UpgradeHandlers {
  /** The response's head was written to the client. */
  out(): void;
  closed: SpliceHandlers['closed'];
}

/**
 * After a 101, or a 2xx to CONNECT: joins the two connections, and records the bytes as the exchange's two bodies.
 * Throws if one side has no separate connection.
 */
export function joinUpgraded(
  clientStream: ClientStream,
  upstreamStream: UpstreamStream | null,
  { halfOpenTime, pipes, log }: { halfOpenTime: number; pipes: ExchangePipes; log: ExchangeLog },
  handlers: UpgradeHandlers,
): { cancel(): void } {
  const client = clientStream.upgrade();
  handlers.out();
  const upstream = upstreamStream?.upgrade();
  if (!client || !upstream) throw new Error('an upgrade without two HTTP/1.1 connections');
  log.exchange.kind = 'upgrade';
  const { lane } = pipes;
  const { method, headers } = clientStream.head;
  const edits = asksForWebSocket(method, headers) ? pipes.upgraded() : null;
  client.socket.once('end', () => pipes.clientLeft());
  const control = splice(client, upstream, halfOpenTime, {
    bytes: (from, chunk) => {
      const open = log.body(from === 'client' ? 'request' : 'response', [chunk]);
      if (!open) log.onDrain(() => control.resume(from));
      return open;
    },
    ...(lane && { waits: waitsOf(lane) }),
    ...(edits && {
      editor: (from, output) => edits.editor(from === 'client' ? 'to-server' : 'to-client', webSocketReader(), output),
    }),
    closed: (spliceError) => {
      pipes.over(spliceError?.by === 'client');
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

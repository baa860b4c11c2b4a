import type { Socket } from 'node:net';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import { failure } from '../../failures/errors.ts';
import type { EngineContext } from '../engine-context.ts';
import { recordFailure, type TunnelRequest } from '../tunnel/tunnel-record.ts';

/**
 * Closes and records a connection whose client sends nothing within the limit `clientSilence`. Returns a function that
 * cancels the timeout.
 */
export function endWhenSilent(
  socket: Socket,
  context: EngineContext,
  client: ConnectionInfo,
  tunnel: TunnelRequest | null,
): () => void {
  const { clientSilence } = context.limits;
  const silent = (): void => {
    recordFailure(context, client, tunnel, failure('client.silent', { seconds: clientSilence / 1000 }));
    socket.destroy();
  };
  socket.once('timeout', silent).setTimeout(clientSilence);
  return () => void socket.off('timeout', silent).setTimeout(0);
}

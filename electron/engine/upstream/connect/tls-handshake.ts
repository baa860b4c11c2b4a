import type { TLSSocket } from 'node:tls';
import type { Failure } from '../../../../shared/model/failure.ts';
import { ConnectionError } from './connection-error.ts';

export interface HandshakeFailures {
  /** Turns Node's error, or an error that says the connection closed, into a failure. */
  failed(error: Error): Failure;
  timedOut(): Failure;
}

/**
 * Waits for the TLS handshake, at most `timeLimit` milliseconds. On failure it destroys the socket and rejects with a
 * ConnectionError.
 */
export function tlsHandshake(secure: TLSSocket, timeLimit: number, failures: HandshakeFailures): Promise<TLSSocket> {
  return new Promise((resolve, reject) => {
    const finish = (problem: Failure | null): void => {
      clearTimeout(timer);
      secure.off('error', onError).off('close', onClose);
      if (!problem) {
        resolve(secure);
        return;
      }
      secure.on('error', () => {});
      secure.destroy();
      reject(new ConnectionError(problem, false));
    };
    const onError = (error: Error): void => finish(failures.failed(error));
    const onClose = (): void => onError(new Error('the connection was closed during the handshake'));
    const timer = setTimeout(() => finish(failures.timedOut()), timeLimit);
    secure.once('error', onError);
    secure.once('close', onClose);
    secure.once('secureConnect', () => finish(null));
  });
}

import type { TLSSocket } from 'node:tls';
import type { Failure } from '../../../../shared/model/failure.ts';
import { ConnectionError } from './connection-error.ts';

export interface HandshakeFailures {
  /** Node's error, or that the connection was closed. */
  failed(error: Error): Failure;
  timedOut(): Failure;
}

/** Waits until TLS stands, `timeLimit` milliseconds at most. Rejects with a ConnectionError, the socket destroyed. */
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

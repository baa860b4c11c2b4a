import type { TLSSocket } from 'node:tls';
import type { Failure } from '../../../../shared/model/failure.ts';
import { turn } from '../../turn.ts';
import { ConnectionError } from './connection-error.ts';

export interface HandshakeFailures {
  /** Turns Node's error, or an error that says the connection closed, into a failure. */
  failed(error: Error): Failure;
  timedOut(): Failure;
}

/**
 * Waits for the TLS handshake, at most `timeLimit` milliseconds. Resolves with the time at which its last message
 * arrived, by `performance.now()`. On failure it destroys the socket and rejects with a ConnectionError.
 */
export function tlsHandshake(secure: TLSSocket, timeLimit: number, failures: HandshakeFailures): Promise<number> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      secure.off('error', onError).off('close', onClose);
    };
    const fail = (problem: Failure): void => {
      stop();
      secure.on('error', () => {});
      secure.destroy();
      reject(new ConnectionError(problem, false));
    };
    const onError = (error: Error): void => fail(failures.failed(error));
    const onClose = (): void => onError(new Error('the connection was closed during the handshake'));
    const timer = setTimeout(() => fail(failures.timedOut()), timeLimit);
    secure.once('error', onError);
    secure.once('close', onClose);
    secure.once('secureConnect', () => {
      stop();
      resolve(turn.reads(secure, 0));
    });
  });
}

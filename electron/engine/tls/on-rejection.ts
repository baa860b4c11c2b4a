import type { TLSSocket } from 'node:tls';
import type { Failure } from '../../../shared/model/failure.ts';
import { clientRejection } from './client-trust-failure.ts';

/**
 * Reports a TLS 1.3 client's rejection of our certificate: an alert that arrives after our side of the handshake ended.
 */
export function onRejection(secure: TLSSocket, host: string, report: (about: Failure) => void): void {
  secure.on('error', (error) => {
    const about = clientRejection(error, host);
    if (about) report(about);
  });
}

import type { TLSSocket } from 'node:tls';
import type { Failure } from '../../../shared/model/failure.ts';
import { clientRejection } from './client-trust-failure.ts';

/** Hears a TLS 1.3 client's verdict on our certificate, which comes as an alert when the handshake is over on our side. */
export function onRejection(secure: TLSSocket, host: string, report: (about: Failure) => void): void {
  secure.on('error', (error) => {
    const about = clientRejection(error, host);
    if (about) report(about);
  });
}

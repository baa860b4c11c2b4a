import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { Failure } from '../../../shared/model/failure.ts';
import { failure } from '../../failures/errors.ts';
import { CLIENT_HELLO_LIMIT, type ClientHello, readClientHello } from './client-hello.ts';
import { clientTlsFailure } from './client-trust-failure.ts';
import { rememberBelow } from './reset-below.ts';

/** A client's TLS that came to nothing. */
export class ClientTlsError extends Error {
  override readonly name = 'ClientTlsError';
  readonly failure: Failure;
  /** The client left before our certificate was on its way: it can't have refused it. */
  readonly unseen: boolean;

  constructor(of: Failure, unseen = false) {
    super(of.message);
    this.failure = of;
    this.unseen = unseen;
  }
}

/** A client that begins a handshake and does not go on with it. */
function stalled(host: string, silence: number): Failure {
  return failure('tls.client-handshake', { host, detail: `the client sent nothing more for ${silence / 1000} s` });
}

/**
 * Reads the client's hello and leaves all its bytes in the socket, unread, for the handshake.
 * `ahead`: what was read before; `silence`: milliseconds without a byte. Rejects with a ClientTlsError.
 */
export function readHello(socket: Socket, ahead: Buffer, host: string, silence: number): Promise<ClientHello> {
  return new Promise((resolve, reject) => {
    let bytes = ahead;
    const finish = (hello: ClientHello | null, problem: Failure | null): void => {
      socket.off('data', onData).off('close', onClose).off('end', onClose).off('timeout', onSilence).setTimeout(0);
      socket.pause();
      if (hello) {
        socket.unshift(bytes);
        resolve(hello);
      } else if (problem) reject(new ClientTlsError(problem, problem.code === 'tls.client-closed'));
    };
    const onClose = (): void => finish(null, failure('tls.client-closed', { host }));
    const onSilence = (): void => finish(null, stalled(host, silence));
    const read = (): void => {
      const reading = readClientHello(bytes);
      if (reading.state === 'read') finish(reading.hello, null);
      else if (reading.state === 'not-tls')
        finish(null, failure('tls.client-handshake', { host, detail: reading.detail }));
      else if (bytes.length > CLIENT_HELLO_LIMIT) {
        finish(
          null,
          failure('tls.client-handshake', { host, detail: `a client hello over ${CLIENT_HELLO_LIMIT} bytes` }),
        );
      }
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      read();
    };
    socket.on('data', onData).on('close', onClose).on('end', onClose).on('timeout', onSilence).setTimeout(silence);
    // Either may have come while nobody listened.
    if (socket.destroyed || socket.readableEnded) onClose();
    else read();
    if (socket.listenerCount('data') > 0) socket.resume();
  });
}

/**
 * Ends the client's TLS on its very socket: no second hop through a server of our own. `alpn`: the one protocol that
 * is chosen, or null for none; `silence`: milliseconds without a byte of the handshake. Rejects with a ClientTlsError.
 */
export function terminateTls(
  socket: Socket,
  context: SecureContext,
  alpn: string | null,
  host: string,
  silence: number,
): Promise<TLSSocket> {
  const secure = new TLSSocket(socket, {
    isServer: true,
    secureContext: context,
    ...(alpn === null ? {} : { ALPNProtocols: [alpn] }),
  });
  rememberBelow(secure, socket);
  return new Promise((resolve, reject) => {
    const finish = (problem: Failure | null): void => {
      secure
        .off('secure', onSecure)
        .off('error', onError)
        .off('_tlsError', onError)
        .off('close', onClose)
        .off('end', onClose)
        .off('timeout', onSilence)
        .setTimeout(0);
      socket.off('end', onClose);
      // What comes later is the exchange's to hear; an error without a listener would end the thread.
      secure.on('error', () => {});
      // Node ends a socket for a TLS error (an alert behind the handshake, say) only where a server of its own made it.
      secure.on('_tlsError', (error: Error) => secure.destroy(error));
      // A handshake costs the client next to nothing and us a signature. TLS 1.3 has none (RFC 8446, section 4.1.2).
      secure.disableRenegotiation();
      if (!problem) {
        resolve(secure);
        return;
      }
      secure.destroy();
      socket.destroy();
      reject(new ClientTlsError(problem));
    };
    const onSecure = (): void => finish(null);
    const onError = (error: Error): void => finish(clientTlsFailure(error, host));
    const onClose = (): void => finish(clientTlsFailure(null, host));
    const onSilence = (): void => finish(stalled(host, silence));
    secure.once('timeout', onSilence).setTimeout(silence);
    // Its end may have been read before TLS had the socket.
    socket.once('end', onClose);
    secure.once('secure', onSecure).once('error', onError).once('_tlsError', onError).once('close', onClose);
    // Node's client refuses a certificate by closing before its last handshake message is out: an end, and no close by itself.
    secure.once('end', onClose);
  });
}

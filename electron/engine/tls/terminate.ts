import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';
import type { Failure } from '../../../shared/model/failure.ts';
import { failure } from '../../failures/errors.ts';
import { CLIENT_HELLO_LIMIT, type ClientHello, readClientHello } from './client-hello.ts';
import { clientTlsFailure } from './client-trust-failure.ts';
import { rememberBelow } from './reset-below.ts';

/** A TLS handshake with a client failed. */
export class ClientTlsError extends Error {
  override readonly name = 'ClientTlsError';
  readonly failure: Failure;
  /** The client left before we sent our certificate and can't have rejected it. */
  readonly unseen: boolean;

  constructor(of: Failure, unseen = false) {
    super(of.message);
    this.failure = of;
    this.unseen = unseen;
  }
}

function unreadable(host: string, detail: string): Failure {
  return failure('tls.client-handshake', { host, detail });
}

/** The client started a handshake and then went silent. */
function stalled(host: string, silence: number): Failure {
  return unreadable(host, `the client sent nothing more for ${silence / 1000} s`);
}

/** Starts to listen for a reason to stop waiting, and calls `cancel` then. Returns a function that stops listening. */
export type Interruption = (cancel: () => void) => () => void;

/**
 * Reads the ClientHello and puts all its bytes back into the socket for the handshake.
 * `ahead`: bytes already read; `silence`: milliseconds without a byte. Rejects with a ClientTlsError.
 */
export async function readHello(socket: Socket, ahead: Buffer, host: string, silence: number): Promise<ClientHello> {
  const hello = await readHelloUnless(socket, ahead, { host, silence, interruption: () => () => {} });
  if (hello === null) throw new Error('nothing interrupts this');
  return hello;
}

/** The same, for a wait that may be interrupted: it then resolves with null, and the bytes are back in the socket. */
export function readHelloUnless(
  socket: Socket,
  ahead: Buffer,
  { host, silence, interruption }: { host: string; silence: number; interruption: Interruption },
): Promise<ClientHello | null> {
  return new Promise((resolve, reject) => {
    let bytes = ahead;
    let stopListening = (): void => {};
    const finish = (hello: ClientHello | null, problem: Failure | null): void => {
      socket.off('data', onData).off('close', onClose).off('end', onClose).off('timeout', onSilence).setTimeout(0);
      socket.pause();
      stopListening();
      if (problem) reject(new ClientTlsError(problem, problem.code === 'tls.client-closed'));
      else {
        socket.unshift(bytes);
        resolve(hello);
      }
    };
    const onClose = (): void => finish(null, failure('tls.client-closed', { host }));
    const onSilence = (): void => finish(null, stalled(host, silence));
    const read = (): void => {
      const reading = readClientHello(bytes);
      if (reading.state === 'read') finish(reading.hello, null);
      else if (reading.state === 'not-tls') finish(null, unreadable(host, reading.detail));
      else if (bytes.length > CLIENT_HELLO_LIMIT)
        finish(null, unreadable(host, `a client hello over ${CLIENT_HELLO_LIMIT} bytes`));
    };
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      read();
    };
    socket.on('data', onData).on('close', onClose).on('end', onClose).on('timeout', onSilence).setTimeout(silence);
    // Either may have happened before the listeners were attached.
    if (socket.destroyed || socket.readableEnded) onClose();
    else read();
    if (socket.listenerCount('data') === 0) return;
    stopListening = interruption(() => finish(null, null));
    socket.resume();
  });
}

/** What a tls.Server would do for its sockets once their handshake is over. */
function guardEstablished(secure: TLSSocket): void {
  // The exchange handles later errors; until it listens, an error without a listener would end the thread.
  secure.on('error', () => {});
  // Node closes a socket on a TLS error (such as an alert after the handshake) only if a tls.Server created it.
  secure.on('_tlsError', (error: Error) => secure.destroy(error));
  // Renegotiation costs us a signature and the client almost nothing. TLS 1.3 has none (RFC 8446, section 4.1.2).
  secure.disableRenegotiation();
}

/**
 * Terminates TLS directly on the client's socket, without a second hop through a local server. `alpn`: the protocol to
 * select, or null for none; `silence`: milliseconds without a byte of the handshake. Rejects with a ClientTlsError.
 */
export function terminateTls(
  socket: Socket,
  context: SecureContext,
  { alpn, host, silence }: { alpn: string | null; host: string; silence: number },
): Promise<TLSSocket> {
  const offer = alpn === null ? {} : { ALPNProtocols: [alpn] };
  const secure = new TLSSocket(socket, { isServer: true, secureContext: context, ...offer });
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
      guardEstablished(secure);
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
    // The end may have been read before TLS took over the socket.
    socket.once('end', onClose);
    secure.once('secure', onSecure).once('error', onError).once('_tlsError', onError).once('close', onClose);
    // A Node client rejects a certificate by closing before it sends its last handshake message: 'end' without 'close'.
    secure.once('end', onClose);
  });
}

import type { DetailedPeerCertificate, PeerCertificate, TLSSocket } from 'node:tls';
import type { Failure } from '../../../../shared/model/failure.ts';
import { describe, type FailureCode, failure, RoundtripError, systemCode } from '../../../failures/errors.ts';
import { nameOf, purposeFault } from '../certificate-purpose.ts';
import { addressOf, type Origin } from '../origin.ts';
import { PeerX509 } from './peer-certificate.ts';
import { subjectOf } from './server-identity.ts';

export interface TlsAttempt {
  host: string;
  /** `a.test:443`. */
  address: string;
  /** Whether a client certificate is configured for this host. */
  certified?: boolean;
  /** The failed socket, if it was passed to `rememberPeer`. */
  socket?: TLSSocket;
}

const peers = new WeakMap<TLSSocket, PeerX509>();

/**
 * Keeps the server's certificate for `upstreamTlsFailure`, because Node releases it before reporting the rejection.
 * Call it right after `tls.connect`. Until `forgetPeer`, the socket's `getPeerCertificate` returns the kept
 * certificate, also to Node's own check of names: `getPeerX509Certificate` removes it from OpenSSL; a second call
 * finds none (Node 24.21).
 */
export function rememberPeer(socket: TLSSocket): void {
  socket.prependOnceListener('secure', () => {
    const certificate = socket.getPeerX509Certificate();
    // A resumed session has no certificate.
    if (certificate === undefined) return;
    const peer = new PeerX509(certificate);
    peers.set(socket, peer);
    // Has every certificate field that Node and we read.
    socket.getPeerCertificate = () => peer as unknown as DetailedPeerCertificate;
  });
}

/** Call it once TLS is established and the certificate has been checked. */
export function forgetPeer(socket: TLSSocket): void {
  peers.delete(socket);
  Reflect.deleteProperty(socket, 'getPeerCertificate');
}

type CertificateCode = Extract<FailureCode, `upstream.certificate-${string}`>;
type Detail = (certificate: PeerX509 | undefined, error: unknown) => string;

function day(date: string | undefined): string {
  const time = Date.parse(date ?? '');
  return Number.isNaN(time) ? 'an unknown day' : new Date(time).toISOString().slice(0, 10);
}

function issuer(certificate: PeerX509 | undefined): string {
  return nameOf(certificate?.issuer);
}

/** OpenSSL's verification results, by Node's names for them; BoringSSL's are the same. */
const VERIFICATION: Record<string, [code: CertificateCode, detail: Detail]> = {
  CERT_HAS_EXPIRED: ['upstream.certificate-expired', (certificate) => day(certificate?.valid_to)],
  CERT_NOT_YET_VALID: ['upstream.certificate-not-yet-valid', (certificate) => day(certificate?.valid_from)],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['upstream.certificate-self-signed', issuer],
  SELF_SIGNED_CERT_IN_CHAIN: ['upstream.certificate-unknown-issuer', issuer],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['upstream.certificate-unknown-issuer', issuer],
  UNABLE_TO_GET_ISSUER_CERT: ['upstream.certificate-unknown-issuer', issuer],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['upstream.certificate-unknown-issuer', issuer],
  CERT_UNTRUSTED: ['upstream.certificate-unknown-issuer', issuer],
  CERT_REVOKED: ['upstream.certificate-revoked', () => 'revoked'],
};

/**
 * An issuer that may not issue certificates, by its basic constraints or key usage. Node has no name for the latter.
 */
const ISSUER = /^(INVALID_PURPOSE|INVALID_CA)$|key usage does not include certificate signing/;

/** Verification results without a name in Node, recognized by OpenSSL's message. */
const UNNAMED: [sentence: RegExp, code: CertificateCode, detail: string][] = [
  [/key too (weak|small)/i, 'upstream.certificate-weak', 'its key, or that of its issuer, is too short'],
  [/(md|algorithm) too weak/i, 'upstream.certificate-weak', 'it, or its issuer, is signed with SHA-1 or MD5'],
];

const OTHER_VERIFICATION =
  /^(CERT_|CRL_|UNSPECIFIED$|PATH_LENGTH|HOSTNAME_MISMATCH|ERROR_IN_CERT|UNABLE_TO_DE)|certificate/;

function certificateFailure(error: unknown, attempt: TlsAttempt): Failure | null {
  const cause = systemCode(error);
  const certificate = attempt.socket && peers.get(attempt.socket);
  const about = { host: attempt.host, subject: subjectOf(certificate) };
  const [code, detail] = VERIFICATION[cause ?? ''] ?? [];
  if (code !== undefined && detail !== undefined)
    return failure(code, { ...about, detail: detail(certificate, error) }, cause);
  const sentence = describe(error);
  if (ISSUER.test(cause ?? '') || ISSUER.test(sentence)) {
    const [purpose, about] = purposeFault(certificate);
    return failure(purpose, { host: attempt.host, subject: subjectOf(certificate), detail: about }, cause);
  }
  const unnamed = UNNAMED.find(([pattern]) => pattern.test(sentence));
  if (unnamed !== undefined) return failure(unnamed[1], { ...about, detail: unnamed[2] }, cause);
  // An alert about certificates is about our certificate, not the server's.
  if (isTlsError(error) || !OTHER_VERIFICATION.test(cause ?? sentence)) return null;
  return failure('upstream.certificate-invalid', { ...about, detail: sentence }, cause);
}

function isTlsError(error: unknown): boolean {
  return systemCode(error)?.startsWith('ERR_SSL_') === true || /SSL routines|OPENSSL_internal/.test(describe(error));
}

/**
 * Normalizes the messages of OpenSSL (`tlsv1 alert unknown ca`) and BoringSSL (`TLSV1_ALERT_UNKNOWN_CA`), with the
 * code.
 */
function spelling(error: unknown): string {
  return `${systemCode(error) ?? ''} ${describe(error)}`.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

/** Whether a client certificate is configured for the origin. */
export function isCertified({ override }: Origin): boolean {
  return override !== null && override.clientCertificate !== '';
}

/** A server that rejects our certificate wants one, or a different one (RFC 8446, section 4.4.2.4). */
const WANTS_CERTIFICATE =
  /ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN|UNKNOWN_CA|UNSUPPORTED_CERTIFICATE)/;

/**
 * TLS 1.2 has no alert for a missing client certificate. A server that rejects the handshake after sending its own
 * certificate has already agreed on a cipher suite.
 */
function wantsCertificate(error: unknown, socket: TLSSocket | undefined): boolean {
  const spelled = spelling(error);
  if (WANTS_CERTIFICATE.test(spelled)) return true;
  const certificate: PeerCertificate | null | undefined = socket?.getPeerCertificate(false);
  return /ALERT_HANDSHAKE_FAILURE/.test(spelled) && certificate?.raw !== undefined;
}

const HANDSHAKE: [name: RegExp, detail: string][] = [
  [/ALERT_PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/, 'it does not support TLS 1.2 or later'],
  [
    /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|BAD_RECORD_TYPE|UNEXPECTED_MESSAGE/,
    'it responded with something other than TLS',
  ],
  [/ALERT_HANDSHAKE_FAILURE/, 'it accepts none of the cipher suites offered'],
  [/UNRECOGNIZED_NAME/, 'it does not know this host name (SNI)'],
  [/NO_APPLICATION_PROTOCOL/, 'it supports none of the application protocols offered (ALPN)'],
  [/DH_KEY_TOO_SMALL/, 'its Diffie-Hellman key is too small'],
  [/UNSAFE_LEGACY_RENEGOTIATION/, 'it does not support secure renegotiation (RFC 5746)'],
];

function handshakeDetail(error: unknown): string {
  const named = HANDSHAKE.find(([name]) => name.test(spelling(error)))?.[1];
  if (named !== undefined) return named;
  return systemCode(error) === 'ECONNRESET' ? 'it closed the connection' : describe(error);
}

/**
 * Why TLS to a server failed: its certificate, or the handshake itself. Reads OpenSSL's and BoringSSL's errors. Call it
 * within the socket's `error` event, while the socket still knows its peer.
 */
export function upstreamTlsFailure(error: unknown, attempt: TlsAttempt): Failure {
  if (error instanceof RoundtripError) return error.failure;
  const { address } = attempt;
  const cause = systemCode(error);
  if (wantsCertificate(error, attempt.socket))
    return failure(
      attempt.certified ? 'upstream.client-certificate-rejected' : 'upstream.client-certificate-required',
      { address },
      cause,
    );
  return (
    certificateFailure(error, attempt) ??
    failure('upstream.tls-handshake', { address, detail: handshakeDetail(error) }, cause)
  );
}

/**
 * In TLS 1.3 the handshake completes before the server checks for a client certificate: its rejection is the first
 * data read. Returns the failure if a read error on a TLS socket is such an alert, otherwise null.
 */
export function upstreamAlertFailure(error: unknown, attempt: TlsAttempt): Failure | null {
  return isTlsError(error) ? upstreamTlsFailure(error, attempt) : null;
}

/** The same for a connection to `origin` that ended before its first response. */
export function lateAlert(error: unknown, origin: Origin): Failure | null {
  return upstreamAlertFailure(error, {
    host: origin.serverName,
    address: addressOf(origin),
    certified: isCertified(origin),
  });
}

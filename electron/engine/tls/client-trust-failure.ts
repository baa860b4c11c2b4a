import type { Failure } from '../../../shared/model/failure.ts';
import { describe, failure, systemCode } from '../../failures/errors.ts';

/**
 * Alerts by which clients reject a certificate (RFC 8446, section 6.2). Which one depends on the client's TLS library.
 */
const CERTIFICATE_ALERTS: [name: RegExp, said: string][] = [
  [/ALERT_UNKNOWN_CA/, 'it said: unknown CA, alert 48'],
  [/ALERT_BAD_CERTIFICATE/, 'it said: bad certificate, alert 42'],
  [/ALERT_CERTIFICATE_UNKNOWN/, 'it said: certificate unknown, alert 46'],
  [/ALERT_CERTIFICATE_EXPIRED/, 'it said: certificate expired, alert 45'],
  [/ALERT_CERTIFICATE_REVOKED/, 'it said: certificate revoked, alert 44'],
  [/ALERT_UNSUPPORTED_CERTIFICATE/, 'it said: unsupported certificate, alert 43'],
  [/ALERT_ACCESS_DENIED/, 'it said: access denied, alert 49'],
];

const HANDSHAKE_FAILURES: [name: RegExp, detail: string][] = [
  [/NO_SHARED_CIPHER/, 'it offers no cipher suite that Roundtrip supports'],
  [/UNSUPPORTED_PROTOCOL|VERSION_TOO_LOW/, 'it does not offer TLS 1.2 or later'],
  [/ALERT_PROTOCOL_VERSION/, 'it refused the TLS version'],
  [/INAPPROPRIATE_FALLBACK/, 'it fell back to an older TLS version unnecessarily'],
  [/HTTP_REQUEST|HTTPS_PROXY_REQUEST/, 'it spoke plain HTTP where TLS was expected'],
  [/NO_APPLICATION_PROTOCOL/, 'it offers no application protocol (ALPN) that upstream supports'],
  [/NO_SUITABLE_KEY_SHARE|NO_SHARED_GROUP/, 'it offers no key exchange that Roundtrip supports'],
  [/NO_SUITABLE_SIGNATURE_ALGORITHM|NO_COMMON_SIGNATURE_ALGORITHMS/, 'it offers no usable signature algorithm'],
  [/WRONG_VERSION_NUMBER|UNEXPECTED_MESSAGE|BAD_PACKET/, 'it sent something other than TLS'],
];

const CLOSED = new Set([
  'ECONNRESET',
  'EPIPE',
  'ECONNABORTED',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
]);

/** Normalizes OpenSSL's (`tlsv1 alert unknown ca`) and BoringSSL's (`TLSV1_ALERT_UNKNOWN_CA`) errors, code included. */
function spelling(error: unknown): string {
  return `${systemCode(error) ?? ''} ${describe(error)}`.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

function rejection(error: unknown, host: string): Failure | null {
  const said = CERTIFICATE_ALERTS.find(([name]) => name.test(spelling(error)))?.[1];
  return said === undefined
    ? null
    : failure('tls.client-rejected-certificate', { host, detail: said }, systemCode(error));
}

/**
 * What a client's failed handshake means. `error`: the TLS socket's error; null if the client closed the connection
 * without an alert. Understands the errors of OpenSSL and BoringSSL.
 */
export function clientTlsFailure(error: unknown, host: string): Failure {
  const rejected = rejection(error, host);
  if (rejected !== null) return rejected;
  const cause = systemCode(error);
  if (error === null || error === undefined || CLOSED.has(cause ?? ''))
    return failure('tls.client-closed', { host }, cause);
  const detail = HANDSHAKE_FAILURES.find(([name]) => name.test(spelling(error)))?.[1];
  return failure('tls.client-handshake', { host, detail: detail ?? describe(error) }, cause);
}

/**
 * In TLS 1.3 our side of the handshake ends before the client has checked the certificate, and the client's alert is
 * the first thing read from a secure socket. Returns what such a read error means, or null if it says nothing about our
 * certificate (an ordinary reset, for example).
 */
export function clientRejection(error: unknown, host: string): Failure | null {
  return rejection(error, host);
}

import type { Failure } from '../../../shared/model/failure.ts';

/**
 * The alerts that a server sends for a ClientHello that it does not accept (RFC 8446, section 6.2; RFC 7507; RFC 7301),
 * by their names in OpenSSL's and BoringSSL's error codes.
 */
const ALERTS: Readonly<Record<string, number>> = {
  HANDSHAKE_FAILURE: 40,
  ILLEGAL_PARAMETER: 47,
  DECODE_ERROR: 50,
  PROTOCOL_VERSION: 70,
  INSUFFICIENT_SECURITY: 71,
  INTERNAL_ERROR: 80,
  INAPPROPRIATE_FALLBACK: 86,
  MISSING_EXTENSION: 109,
  UNRECOGNIZED_NAME: 112,
  NO_APPLICATION_PROTOCOL: 120,
};

/** Error codes for received alerts; errors detected by the TLS library itself have other names. */
const RECEIVED = /^ERR_SSL_(?:SSLV3|TLSV1|TLSV13|SSL\/TLS)_(?:ALERT_)?([A-Z_]+)$/;

/**
 * The TLS record that rejects a client's hello with the alert that the server sent us, or null if the server sent no
 * such alert. Nothing is encrypted yet at this point. All its bytes are below 128.
 */
export function refusalAlert({ code, cause }: Failure): string | null {
  if (code !== 'upstream.tls-handshake') return null;
  const alert = ALERTS[RECEIVED.exec(cause ?? '')?.[1] ?? ''];
  // A fatal alert, with the record version of TLS 1.2 and TLS 1.3.
  return alert === undefined ? null : `\x15\x03\x03\0\x02\x02${String.fromCharCode(alert)}`;
}

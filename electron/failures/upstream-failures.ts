import { type Address, type Certificate, type Detail, entry } from './entry.ts';

/** Failures to reach a server, and failures in its response. */
export const UPSTREAM_FAILURES = {
  'upstream.host-not-found': entry<{ host: string }>(
    'upstream',
    (a) => `The host ${a.host} could not be found (DNS). Check its spelling and your network.`,
  ),
  'upstream.dns-failed': entry<{ host: string }>(
    'upstream',
    (a) => `The DNS server did not respond for ${a.host}. Check your network.`,
  ),
  'upstream.refused': entry<Address>(
    'upstream',
    (a) => `${a.address} refused the connection. Check that the server runs and listens on that port.`,
  ),
  'upstream.unreachable': entry<Address>(
    'upstream',
    (a) => `${a.address} cannot be reached from this machine's network.`,
  ),
  'upstream.connect-timeout': entry<Address & { seconds: number }>(
    'upstream',
    (a) => `${a.address} did not respond within ${a.seconds} s of connecting.`,
  ),
  'upstream.connect-failed': entry<Address & Detail>(
    'upstream',
    (a) => `Connecting to ${a.address} failed: ${a.detail}.`,
  ),
  'upstream.reset': entry<Address>('upstream', (a) => `${a.address} reset the connection.`),
  'upstream.empty-response': entry<Address>(
    'upstream',
    (a) => `${a.address} closed the connection without a response.`,
  ),
  'upstream.bad-response': entry<Address & Detail>(
    'upstream',
    (a) => `${a.address} sent a malformed response: ${a.detail}.`,
  ),
  'upstream.faulty-response': entry<Address & Detail>(
    'upstream',
    (a) =>
      `The response from ${a.address} breaks HTTP/1.1: ${a.detail}. It was forwarded unchanged, and its ` +
      'connections were then closed.',
  ),
  'upstream.head-cut-short': entry<Address>(
    'upstream',
    (a) => `${a.address} ended the connection in the middle of the response's header block.`,
  ),
  'upstream.head-too-large': entry<Address & { limit: number }>(
    'upstream',
    (a) => `The response's header block from ${a.address} exceeds the limit of ${a.limit} bytes.`,
  ),
  'upstream.too-many-interim': entry<Address & { limit: number }>(
    'upstream',
    (a) => `${a.address} sent more than ${a.limit} bytes of interim (1xx) responses, and no final one.`,
  ),
  'upstream.body-cut-short': entry<Address>(
    'upstream',
    (a) => `${a.address} closed the connection before the response's body was complete.`,
  ),
  'upstream.timeout': entry<Address & { seconds: number }>(
    'upstream',
    (a) => `${a.address} sent nothing for ${a.seconds} s.`,
  ),
  'upstream.http2-error': entry<Address & Detail>(
    'upstream',
    (a) => `The HTTP/2 connection to ${a.address} broke: ${a.detail}.`,
  ),
  'upstream.stream-reset': entry<Address & Detail>(
    'upstream',
    (a) => `${a.address} reset the HTTP/2 stream with ${a.detail}.`,
  ),
  'upstream.protocol-unsupported': entry<Address & Detail>(
    'upstream',
    (a) => `${a.address} does not support a protocol that this request requires: ${a.detail}.`,
  ),
  'upstream.tls-handshake': entry<Address & Detail>(
    'upstream',
    (a) => `The TLS handshake with ${a.address} failed: ${a.detail}.`,
  ),
  'upstream.certificate-expired': entry<Certificate>(
    'upstream',
    (a) => `The certificate of ${a.host} (${a.subject}) expired on ${a.detail}. Renew it on the server.`,
  ),
  'upstream.certificate-not-yet-valid': entry<Certificate>(
    'upstream',
    (a) => `The certificate of ${a.host} (${a.subject}) is not valid before ${a.detail}. Check both machines' clocks.`,
  ),
  'upstream.certificate-wrong-host': entry<Certificate>(
    'upstream',
    (a) => `The certificate is not for ${a.host}: it names ${a.detail}.`,
  ),
  'upstream.certificate-self-signed': entry<Certificate>(
    'upstream',
    (a) => `The certificate of ${a.host} (${a.subject}) is self-signed. Add it as an upstream CA if you trust it.`,
  ),
  'upstream.certificate-unknown-issuer': entry<Certificate>(
    'upstream',
    (a) =>
      `The certificate of ${a.host} was issued by ${a.detail}, which this machine does not trust. Add that issuer ` +
      'as an upstream CA if you do, or have the server send its intermediate certificate.',
  ),
  'upstream.certificate-revoked': entry<Certificate>(
    'upstream',
    (a) => `The certificate of ${a.host} (${a.subject}) is revoked.`,
  ),
  'upstream.certificate-weak': entry<Certificate>(
    'upstream',
    (a) => `The certificate of ${a.host} (${a.subject}) is too weak to trust: ${a.detail}.`,
  ),
  'upstream.certificate-wrong-purpose': entry<Certificate>(
    'upstream',
    (a) => `The certificate of ${a.host} (${a.subject}) is not meant for servers: ${a.detail}.`,
  ),
  'upstream.certificate-issuer-not-ca': entry<Certificate>(
    'upstream',
    (a) =>
      `The certificate of ${a.host} was issued by ${a.detail}, whose own certificate is not a CA certificate and ` +
      'may not issue others. Give the server a certificate issued by a CA.',
  ),
  'upstream.certificate-invalid': entry<Certificate>(
    'upstream',
    (a) => `The certificate of ${a.host} (${a.subject}) is not valid: ${a.detail}.`,
  ),
  'upstream.client-certificate-required': entry<Address>(
    'upstream',
    (a) =>
      `${a.address} requires a client certificate, and none is set for it. Set one with --client-certificate ` +
      'HOST=FILE, or in the rules of the host.',
  ),
  'upstream.client-certificate-rejected': entry<Address>(
    'upstream',
    (a) =>
      `${a.address} did not accept the client certificate that is set for it. Check that it is valid, and issued ` +
      'by a CA that the server trusts.',
  ),
} as const;

import { type Detail, entry } from './entry.ts';

/** Failures that a client caused: in its requests, its tunnels or its TLS. */
export const CLIENT_FAILURES = {
  'client.not-http': entry<Detail>(
    'client',
    (a) => `The client spoke neither HTTP nor TLS (first bytes: ${a.detail}). Its connection was closed.`,
  ),
  'client.bad-request': entry<Detail>('client', (a) => `The client's request is malformed: ${a.detail}.`),
  'client.head-too-large': entry<{ limit: number }>(
    'client',
    (a) => `The client's header block exceeds the limit of ${a.limit} bytes.`,
  ),
  'client.body-cut-short': entry('client', () => "The client's request ended before its body was complete."),
  'client.bad-body': entry<Detail>('client', (a) => `The client's request body is malformed: ${a.detail}.`),
  'client.aborted': entry('client', () => 'The client closed the connection before the response was complete.'),
  'client.idle-timeout': entry<{ seconds: number }>(
    'client',
    (a) => `The client sent no complete request head for ${a.seconds} s; its connection was closed.`,
  ),
  'client.silent': entry<{ seconds: number }>(
    'client',
    (a) => `A client connected and sent nothing for ${a.seconds} s; its connection was closed.`,
  ),
  'client.stalled': entry<{ seconds: number }>(
    'client',
    (a) =>
      `The client neither sent nor read anything for ${a.seconds} s while Roundtrip was waiting for it; its ` +
      'connection was closed.',
  ),
  'client.too-many-connections': entry<{ limit: number }>(
    'client',
    (a) => `More than ${a.limit} client connections are open; this one was closed.`,
  ),
  'client.http2-error': entry<Detail>('client', (a) => `The client's HTTP/2 connection broke: ${a.detail}.`),
  'client.http2-flood': entry<{ limit: number; what: string; name: string }>(
    'client',
    (a) =>
      `The client sent more than ${a.limit} ${a.what}; its HTTP/2 connection was closed. If the client is ` +
      `legitimate, raise the limit ${a.name}.`,
  ),
  'client.local-refused': entry<{ authority: string }>(
    'client',
    (a) =>
      `Another machine's request to ${a.authority} was refused: the address is this machine's own or link-local. ` +
      'Connect, "Phones and other devices", can allow that.',
  ),
  'client.socks': entry<Detail>('client', (a) => `The client's SOCKS request could not be served: ${a.detail}.`),
  'reverse.invalid': entry<Detail>('roundtrip', (a) => `A reverse listener can't be opened: ${a.detail}.`),
  'tunnel.bad-authority': entry<{ authority: string }>(
    'client',
    (a) => `CONNECT to ${JSON.stringify(a.authority)} was refused: not a valid host:port.`,
  ),
  'tunnel.to-itself': entry<{ authority: string }>(
    'client',
    (a) => `A request to ${a.authority} was refused: that is Roundtrip itself, and the request would loop forever.`,
  ),
  'tls.client-rejected-certificate': entry<{ host: string; detail: string }>(
    'client',
    (a) =>
      `The client does not trust Roundtrip's certificate for ${a.host} (${a.detail}). Trust the CA, or pass this ` +
      'host through.',
  ),
  'tls.client-pins-certificate': entry<{ host: string }>(
    'client',
    (a) =>
      `The client refuses Roundtrip's certificate for ${a.host}, although the same kind of client accepts it for ` +
      "other hosts: it may pin this host's certificate. Pass this host through.",
  ),
  'tls.client-closed': entry<{ host: string }>(
    'client',
    (a) =>
      `The client closed the connection to ${a.host} during the TLS handshake. It may not trust Roundtrip's CA, or ` +
      'may pin its certificate; pass this host through if so.',
  ),
  'tls.client-handshake': entry<{ host: string; detail: string }>(
    'client',
    (a) => `The TLS handshake with the client for ${a.host} failed: ${a.detail}.`,
  ),
  'tls.leaf-failed': entry<{ host: string; detail: string }>(
    'roundtrip',
    (a) => `No certificate could be created for ${a.host}: ${a.detail}.`,
  ),
} as const;

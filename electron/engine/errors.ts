import type { Failure, FailureSide } from '../../shared/model/failure.ts';

/** What stands behind one code: the side at fault, and the sentence for a person. */
interface Entry<A> {
  side: FailureSide;
  sentence: (about: A) => string;
}

function entry<A = Record<never, never>>(side: FailureSide, sentence: (about: A) => string): Entry<A> {
  return { side, sentence };
}

type Address = { address: string };
type Detail = { detail: string };
type Certificate = { host: string; subject: string; detail: string };

/**
 * Every failure of the product, one code each. Codes are stable: scripts, the HAR's `_error` and docs/failures.md name
 * them. A sentence says what happened, with the names and numbers at hand, and what to do where that is known.
 */
const CATALOGUE = {
  // What a client sent
  'client.not-http': entry<Detail>(
    'client',
    (a) => `The client spoke neither HTTP nor TLS (first bytes: ${a.detail}). Its connection was closed.`,
  ),
  'client.bad-request': entry<Detail>('client', (a) => `The client's request is malformed: ${a.detail}.`),
  'client.head-too-large': entry<{ limit: number }>(
    'client',
    (a) => `The client's header block is over the limit of ${a.limit} bytes.`,
  ),
  'client.body-cut-short': entry('client', () => "The client's request ended before its body was complete."),
  'client.bad-body': entry<Detail>('client', (a) => `The client's request body is malformed: ${a.detail}.`),
  'client.aborted': entry('client', () => 'The client went away before the response was complete.'),
  'client.idle-timeout': entry<{ seconds: number }>(
    'client',
    (a) => `The client sent no complete request head for ${a.seconds} s; its connection was closed.`,
  ),
  'client.stalled': entry<{ seconds: number }>(
    'client',
    (a) => `The client neither sent nor took anything for ${a.seconds} s while it was its turn; it was cut off.`,
  ),
  'client.too-many-connections': entry<{ limit: number }>(
    'client',
    (a) => `More than ${a.limit} client connections are open; this one was closed.`,
  ),
  'client.http2-error': entry<Detail>('client', (a) => `The client's HTTP/2 connection broke: ${a.detail}.`),
  'client.socks': entry('client', () => 'The client spoke SOCKS. Point it at Roundtrip as an HTTP proxy instead.'),

  // Tunnels and the client's TLS
  'tunnel.bad-authority': entry<{ authority: string }>(
    'client',
    (a) => `CONNECT to ${JSON.stringify(a.authority)} was refused: it is no host and port.`,
  ),
  'tunnel.to-itself': entry<{ authority: string }>(
    'client',
    (a) => `A request to ${a.authority} was refused: that is Roundtrip itself, and it would go round for ever.`,
  ),
  'tls.client-rejected-certificate': entry<{ host: string; detail: string }>(
    'client',
    (a) =>
      `The client does not trust Roundtrip's certificate for ${a.host} (${a.detail}). Trust the CA, or pass this host through.`,
  ),
  'tls.client-pins-certificate': entry<{ host: string }>(
    'client',
    (a) =>
      `The client refuses Roundtrip's certificate for ${a.host}, though the same kind of client accepts it for other hosts: it may pin this one's. Pass this host through.`,
  ),
  'tls.client-closed': entry<{ host: string }>(
    'client',
    (a) =>
      `The client closed the connection to ${a.host} during the TLS handshake. It may not trust Roundtrip's CA, or may pin its certificate; pass this host through if so.`,
  ),
  'tls.client-handshake': entry<{ host: string; detail: string }>(
    'client',
    (a) => `The TLS handshake with the client for ${a.host} failed: ${a.detail}.`,
  ),
  'tls.leaf-failed': entry<{ host: string; detail: string }>(
    'roundtrip',
    (a) => `No certificate could be made for ${a.host}: ${a.detail}.`,
  ),

  // Reaching upstream
  'upstream.host-not-found': entry<{ host: string }>(
    'upstream',
    (a) => `The host ${a.host} could not be found (DNS). Check its spelling and your network.`,
  ),
  'upstream.dns-failed': entry<{ host: string }>(
    'upstream',
    (a) => `The name server did not answer for ${a.host}. Check your network.`,
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
    (a) => `${a.address} did not answer within ${a.seconds} s of connecting.`,
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
  'upstream.head-too-large': entry<Address & { limit: number }>(
    'upstream',
    (a) => `The response's header block from ${a.address} is over the limit of ${a.limit} bytes.`,
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
    (a) => `${a.address} does not speak what this request needs: ${a.detail}.`,
  ),

  // Upstream's TLS
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
      `The certificate of ${a.host} was issued by ${a.detail}, which this machine does not trust. Add that issuer as an upstream CA if you do, or have the server send its intermediate certificate.`,
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
  'upstream.certificate-invalid': entry<Certificate>(
    'upstream',
    (a) => `The certificate of ${a.host} (${a.subject}) is not valid: ${a.detail}.`,
  ),
  'upstream.client-certificate-required': entry<Address>(
    'upstream',
    (a) =>
      `${a.address} demands a client certificate, and none is set for it. Set one with --client-certificate HOST=FILE, or in the rules of the host.`,
  ),
  'upstream.client-certificate-rejected': entry<Address>(
    'upstream',
    (a) =>
      `${a.address} did not accept the client certificate that is set for it. Check that it is valid, and issued by a CA that the server trusts.`,
  ),

  // The upstream proxy
  'proxy.bad-address': entry<{ url: string; detail: string }>(
    'roundtrip',
    (a) => `The upstream proxy's address ${a.url} can't be used: ${a.detail}. Write it as http://host:port.`,
  ),
  'proxy.loop': entry<Address>(
    'roundtrip',
    (a) =>
      `The upstream proxy ${a.address} is Roundtrip itself: every request would go round for ever. Choose another proxy, or none.`,
  ),
  'proxy.host-not-found': entry<{ host: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy's host ${a.host} could not be found (DNS). Check the address in the toolbar.`,
  ),
  'proxy.refused': entry<Address>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} refused the connection. Check that it runs, and its port.`,
  ),
  'proxy.timeout': entry<Address & { seconds: number }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} did not answer within ${a.seconds} s. Check its address, and your network.`,
  ),
  'proxy.connect-failed': entry<Address & Detail>(
    'upstream-proxy',
    (a) => `Connecting to the upstream proxy ${a.address} failed: ${a.detail}.`,
  ),
  'proxy.tls-untrusted': entry<Address & Detail>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} has a certificate that this machine does not trust: ${a.detail}. Add its CA to the proxy CAs in the settings.`,
  ),
  'proxy.tls-handshake': entry<Address & Detail>(
    'upstream-proxy',
    (a) =>
      `The TLS handshake with the upstream proxy ${a.address} failed: ${a.detail}. If it speaks no TLS itself, write its address as http://.`,
  ),
  'proxy.authentication-required': entry<Address & { schemes: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} asks for a user and password (${a.schemes}). Put them into its address.`,
  ),
  'proxy.authentication-unsupported': entry<Address & { schemes: string }>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} takes no user and password in a way that Roundtrip can give them (${a.schemes}).`,
  ),
  'proxy.wrong-password': entry<Address & { scheme: string }>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} did not accept the user and password (${a.scheme}). They are not sent again until you change or test them, so that no account is locked.`,
  ),
  'proxy.forbidden': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} forbids ${a.target} (${a.status}). Its rules decide; its answer is kept.`,
  ),
  'proxy.bad-gateway': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} could not reach ${a.target} (${a.status}). Its answer is kept.`,
  ),
  'proxy.unavailable': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} could not find or reach ${a.target}, or is overloaded (${a.status}). Its answer is kept.`,
  ),
  'proxy.gateway-timeout': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} got no answer from ${a.target} in time (${a.status}). Its answer is kept.`,
  ),
  'proxy.connect-rejected': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} answered ${a.status} to CONNECT ${a.target}.`,
  ),
  'proxy.socks-refused': entry<Address & Detail & { target: string }>(
    'upstream-proxy',
    (a) => `The SOCKS proxy ${a.address} did not connect to ${a.target}: ${a.detail}.`,
  ),
  'proxy.bad-answer': entry<Address & Detail>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} sent a malformed answer: ${a.detail}. Check that its address names the right scheme.`,
  ),
  'proxy.empty-answer': entry<Address>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} closed the connection without an answer.`,
  ),

  'proxy.pac-unreadable': entry<{ where: string; detail: string }>(
    'upstream-proxy',
    (a) => `The PAC file ${a.where} could not be read: ${a.detail}. Nothing goes upstream until it can be.`,
  ),
  'proxy.pac-failed': entry<{ where: string; detail: string }>(
    'upstream-proxy',
    (a) => `The PAC script failed (${a.where}): ${a.detail}. Nothing goes upstream by it until it is mended.`,
  ),
  'proxy.pac-timeout': entry<{ url: string; seconds: number }>(
    'upstream-proxy',
    (a) => `The PAC script gave no answer for ${a.url} within ${a.seconds} s and was ended.`,
  ),

  // Roundtrip itself
  'engine.port-in-use': entry<Address>(
    'roundtrip',
    (a) => `Port ${a.address} is in use by another program. Choose another with --port, or 0 for any free one.`,
  ),
  'engine.ui-port-in-use': entry<Address>(
    'roundtrip',
    (a) =>
      `The UI's port ${a.address} is in use by another program. Choose another with --ui-port, or 0 for any free one.`,
  ),
  'engine.listen-failed': entry<Address & Detail>('roundtrip', (a) => `Cannot listen on ${a.address}: ${a.detail}.`),
  'engine.thread-died': entry<Detail>(
    'roundtrip',
    (a) => `The proxy's thread died (${a.detail}) and was started again. The session file is intact.`,
  ),
  'engine.stopped': entry('roundtrip', () => 'Roundtrip was stopped before the exchange was complete.'),
  'engine.internal': entry<Detail>('roundtrip', (a) => `Roundtrip failed inside: ${a.detail}. Please report this.`),
  'session.open-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The session file ${a.path} cannot be opened: ${a.detail}.`,
  ),
  'session.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `Writing to the session file ${a.path} failed: ${a.detail}. Traffic goes on unrecorded.`,
  ),
  'session.not-found': entry<{ id: number }>('roundtrip', (a) => `There is no exchange ${a.id} in this session.`),
  'har.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The HAR ${a.path} could not be written: ${a.detail}.`,
  ),
  'body.write-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The body could not be written to ${a.path}: ${a.detail}. Save it to another place.`,
  ),
  'har.busy': entry('roundtrip', () => 'Another HAR is being exported. Wait for it, or cancel it.'),
  'ca.unreadable': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) =>
      `The CA in ${a.path} cannot be read: ${a.detail}. Restore the file, or make a new CA with roundtrip ca rotate, which keeps the old files.`,
  ),
  'ca.changed-on-disk': entry<{ path: string }>(
    'roundtrip',
    (a) =>
      `The CA in ${a.path} is no longer the one in use: another program replaced or damaged it. Restart Roundtrip, or restore the file.`,
  ),
  'ca.renewed': entry<{ date: string }>(
    'roundtrip',
    (a) =>
      `The CA was about to expire and was renewed until ${a.date}, with the same key. Install it anew in the stores that trust the old one.`,
  ),
  'ca.expires-soon': entry<{ date: string }>(
    'roundtrip',
    (a) => `Your own CA expires on ${a.date}. Import its successor, or let Roundtrip make a CA (roundtrip ca rotate).`,
  ),
  'ca.import-refused': entry<Detail>('roundtrip', (a) => `This CA can't be used: ${a.detail}.`),
  'ca.export-refused': entry<Detail>('roundtrip', (a) => `The CA can't be exported so: ${a.detail}.`),
  'settings.unreadable': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The settings in ${a.path} cannot be read: ${a.detail}. Defaults are used; the old file was kept beside it.`,
  ),
  'settings.invalid': entry<Detail>('roundtrip', (a) => `That setting can't be used: ${a.detail}.`),
  'capture.not-seen': entry<{ name: string; seconds: number; hint: string }>(
    'client',
    (a) =>
      `${a.name} sent nothing through Roundtrip within ${a.seconds} s. ${a.hint || 'Another proxy, a PAC file, a policy or an extension may overrule its proxy setting.'}`,
  ),
  'capture.not-trusted': entry<{ name: string; detail: string }>(
    'client',
    (a) => `${a.name} comes through Roundtrip, but its HTTPS does not: ${a.detail}`,
  ),
  'capture.loopback-bypassed': entry<{ name: string }>(
    'client',
    (a) => `${a.name} goes past Roundtrip to loopback addresses: what it asks of localhost is not seen.`,
  ),
  'system-proxy.unavailable': entry<Detail>('roundtrip', (a) => `The system's proxy can't be set here: ${a.detail}.`),
  'system-proxy.busy': entry(
    'roundtrip',
    () => "Another Roundtrip has set the system's proxy to itself. Turn it off there, or end that one.",
  ),
  'system-proxy.failed': entry<Detail>(
    'roundtrip',
    (a) => `The system's proxy could not be changed: ${a.detail}. What it was is kept, and put back at the next start.`,
  ),
  'terminal.not-found': entry(
    'roundtrip',
    () => 'No terminal was found. Name one in the TERMINAL variable, or use roundtrip record -- command.',
  ),
  'browser.not-found': entry<{ id: string }>('roundtrip', (a) => `No browser ${a.id} was found on this machine.`),
  'browser.start-failed': entry<{ name: string; detail: string }>(
    'roundtrip',
    (a) => `${a.name} could not be started: ${a.detail}.`,
  ),
} as const;

export type FailureCode = keyof typeof CATALOGUE;
type AboutOf<C extends FailureCode> = (typeof CATALOGUE)[C] extends Entry<infer A> ? A : never;

/** All codes, for the page that documents them and the test that holds the two together. */
export const FAILURE_CODES = Object.keys(CATALOGUE) as FailureCode[];

/** A failure of the catalogue. `cause`: the system's own code where there was one, `ECONNREFUSED`. */
export function failure<C extends FailureCode>(code: C, about: AboutOf<C>, cause: string | null = null): Failure {
  const { side, sentence } = CATALOGUE[code] as Entry<AboutOf<C>>;
  return { code, side, message: sentence(about), cause };
}

/** A failure on its way through code that throws. */
export class RoundtripError extends Error {
  override readonly name = 'RoundtripError';
  readonly failure: Failure;

  constructor(of: Failure) {
    super(of.message);
    this.failure = of;
  }

  get code(): string {
    return this.failure.code;
  }
}

/** Throws or rejects with a failure of the catalogue. */
export function roundtripError<C extends FailureCode>(
  code: C,
  about: AboutOf<C>,
  cause: string | null = null,
): RoundtripError {
  return new RoundtripError(failure(code, about, cause));
}

/** The system's code of whatever was thrown, `ECONNRESET`, or null. */
export function systemCode(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** One line about whatever was thrown, for a `detail`. */
export function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

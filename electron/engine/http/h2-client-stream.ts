import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import { describe, failure, roundtripError } from '../../failures/errors.ts';
import { CODE } from '../http2/error-codes.ts';
import type { Http2Stream } from '../http2/stream.ts';
import { RESET_END, type StreamClose, type StreamHandlers } from '../http2/stream-events.ts';
import { turn } from '../turn.ts';
import type { ClientConnection, ClientStream, RequestHandlers, Reset } from './client-stream.ts';
import { formatAuthority, parseAuthority, type RequestContext, sameTarget } from './h1-request.ts';
import { field, headSize, pseudo } from './h2-headers.ts';
import { fieldsToHttp2, responseToHttp2, withoutProxyLogin } from './header-rules.ts';
import { NO_BODY_FRAMING, type RequestHead, type ResponseHead, STREAM_FRAMING } from './message.ts';

/** The fields for a tunnel's server, as received; for the origin of a reverse listener, with its scheme and name. */
function originFields(fields: RawHeaders, context: RequestContext, authority: string | null): RawHeaders {
  if (context.replacesHost === undefined) return fields;
  return fields.map((text, index) => {
    const name = index % 2 === 1 ? fields[index - 1] : null;
    if (name === ':scheme') return context.scheme;
    return authority !== null && (name === ':authority' || name === 'host') ? authority : text;
  });
}

/** Null for a request whose authority is missing, malformed or contradictory. */
function readHead(fields: RawHeaders, endStream: boolean, connection: ClientConnection): RequestHead | null {
  const method = pseudo(fields, ':method');
  const host = field(fields, 'host');
  const own = pseudo(fields, ':authority');
  const named = own ?? host ?? '';
  // A CONNECT to the tunnel's server has no path: it names the host to connect to (RFC 9113, section 8.5).
  const path = pseudo(fields, ':path') ?? (method === 'CONNECT' && connection.context.target ? named : undefined);
  const scheme = connection.context.target ? connection.context.scheme : pseudo(fields, ':scheme');
  if (!method || !path || (scheme !== 'http' && scheme !== 'https')) return null;
  const defaultPort = scheme === 'https' ? 443 : 80;
  const authority = parseAuthority(named, defaultPort);
  if (named !== '' && !authority) return null;
  // RFC 9113, section 8.3.1: malformed. We could route by one value while the origin uses the other.
  if (own !== undefined && host !== undefined && !sameTarget(authority, parseAuthority(host, defaultPort))) return null;
  const target = connection.context.target ?? authority;
  if (!target) return null;
  const replaced = connection.context.replacesHost ? formatAuthority(scheme, target.host, target.port) : null;
  return {
    method,
    scheme,
    authority: replaced ?? (authority ? formatAuthority(scheme, authority.host, authority.port) : named),
    host: target.host,
    port: target.port,
    path,
    version: 'HTTP/2.0',
    headers: connection.context.target ? originFields(fields, connection.context, replaced) : withoutProxyLogin(fields),
    framing: endStream ? NO_BODY_FRAMING : STREAM_FRAMING,
    wire: null,
    size: headSize(fields),
    upgrade: false,
    keepAlive: true,
  };
}

function closeFailure({ by, code, cause }: StreamClose): Failure {
  if (by !== 'fault' || !cause) return failure('client.aborted', {});
  if (code === CODE.INTERNAL_ERROR) return failure('engine.internal', { detail: describe(cause) });
  return failure('client.http2-error', { detail: cause.message });
}

/** One h2 request and the path for its response. */
export class H2ClientStream implements ClientStream, StreamHandlers {
  readonly connection: ClientConnection;
  readonly head: RequestHead;
  readonly headAt: number;
  readonly #stream: Http2Stream;
  readonly #silence: number;
  #handlers: RequestHandlers | null = null;
  #requestEnded: boolean;
  /** The response's final head was passed to the stream. */
  #responded = false;
  #ended = false;
  #over = false;

  private constructor(stream: Http2Stream, head: RequestHead, connection: ClientConnection, silence: number) {
    this.#silence = silence;
    this.#stream = stream;
    this.head = head;
    this.connection = connection;
    this.headAt = turn.arrivedAt;
    this.#requestEnded = head.framing.kind === 'none';
  }

  /**
   * Null for a request whose authority is missing or malformed, or differs from its Host (RFC 9113, section 8.3.1).
   * `silence`: the connection's limit on a stream's silence, milliseconds.
   */
  static open(
    stream: Http2Stream,
    { fields, endStream }: { fields: RawHeaders; endStream: boolean },
    connection: ClientConnection,
    silence: number,
  ): H2ClientStream | null {
    const head = readHead(fields, endStream, connection);
    if (head) head.neverIndexed = stream.neverIndexed;
    return head && new H2ClientStream(stream, head, connection, silence);
  }

  /** Gives up on a silent client: it keeps its window closed, or does not send the rest of its body. */
  onSilence(): void {
    if (this.#over) {
      // An earlier reset is still queued after bytes that the client does not read.
      this.#stream.reset(CODE.CANCEL);
      return;
    }
    if (this.#stream.out.bytes === 0 && !this.#owesBytes) return;
    this.#over = true;
    this.#handlers?.clientAborted(failure('client.stalled', { seconds: this.#silence / 1000 }), CODE.CANCEL);
    this.#stream.reset(CODE.ENHANCE_YOUR_CALM);
  }

  /** Bytes of a declared length are missing. A bidirectional call declares none and may be silent for long. */
  get #owesBytes(): boolean {
    const promised = field(this.head.headers, 'content-length') !== undefined;
    return promised && !this.#requestEnded && !this.#stream.held;
  }

  get respondedAt(): number {
    return this.#responded ? this.#stream.stamps.firstAt : -1;
  }

  get wroteAt(): number {
    return this.#stream.stamps.latestAt;
  }

  receive(handlers: RequestHandlers): void {
    this.#handlers = handlers;
    if (this.head.framing.kind === 'none') handlers.requestEnd([]);
    this.#stream.listen(this);
  }

  onHead(): void {
    // Only responses have informational heads; this side receives requests.
  }

  onData(bytes: Buffer): boolean {
    return this.#handlers?.requestPiece(null, [bytes]) ?? true;
  }

  onEnd(trailers: RawHeaders): void {
    if (this.#requestEnded) return;
    this.#requestEnded = true;
    this.#handlers?.requestEnd(trailers);
  }

  onReadOver(): void {
    this.#handlers?.requestFlush();
  }

  onDrained(): void {
    this.#handlers?.clientDrained();
  }

  onClosed(how: StreamClose): void {
    if (this.#over || (this.#ended && this.#requestEnded)) return;
    this.#over = true;
    this.#handlers?.clientAborted(closeFailure(how), how.code);
  }

  resumeBody(): void {
    this.#stream.resume();
  }

  get hasTakenAll(): boolean {
    const { bytes, dropped } = this.#stream.out;
    return bytes + dropped === 0;
  }

  informational(head: ResponseHead): void {
    this.#stream.head(head.wire ? responseToHttp2(head) : head.headers, false);
  }

  /** Throws `upstream.bad-response` for 101, which HTTP/2 does not support (RFC 9113, section 8.6). */
  respond(head: ResponseHead): void {
    if (head.status < 200) {
      const { authority } = this.head;
      throw roundtripError('upstream.bad-response', {
        address: authority,
        detail: `status ${head.status} over HTTP/2`,
      });
    }
    this.#ended = head.framing.kind === 'none';
    this.#responded = true;
    this.#stream.stamps.begin();
    this.#stream.head(head.wire ? responseToHttp2(head) : head.headers, this.#ended, head.neverIndexed);
  }

  piece(_wire: Buffer | null, payload: readonly Buffer[]): boolean {
    let open = true;
    for (const each of payload) open = this.#stream.write(each);
    return open;
  }

  end(trailers: RawHeaders): void {
    if (this.#ended) return;
    this.#ended = true;
    if (trailers === RESET_END) this.#stream.endByReset(CODE.NO_ERROR);
    else this.#stream.end(trailers.length > 0 ? fieldsToHttp2(trailers) : trailers);
  }

  flush(): void {
    // The connection itself collects the frames of a turn.
  }

  reset(reset: Reset): void {
    if (this.#over) return;
    this.#over = true;
    if (reset.lost === 'stream') {
      if (reset.afterBody && !this.#ended) this.#stream.endByReset(reset.code);
      else this.#stream.reset(reset.code);
      return;
    }
    // On a connection to its proxy, a client also sends requests for other origins: reset only the stream there.
    if (reset.lost && this.connection.context.target && !this.#ended) {
      this.#stream.lose({ ...reset.lost, tcpReset: reset.tcpReset });
      return;
    }
    // After a complete response, NO_ERROR asks the client to stop sending (RFC 9113, section 8.1).
    this.#stream.reset(reset.code || (this.#ended ? CODE.NO_ERROR : CODE.INTERNAL_ERROR));
  }

  upgrade(): null {
    return null;
  }
}

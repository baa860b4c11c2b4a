import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import { failure, roundtripError } from '../errors.ts';
import type { ClientConnection, ClientStream, ClientStreamEvents, Reset } from './client-stream.ts';
import { formatAuthority, parseAuthority, sameTarget } from './h1-request.ts';
import type { FloodWatch } from './h2-flood-watch.ts';
import { field, headSize, http2FieldObject, http2Fields, mayHaveTrailers, pseudo, rawFields } from './h2-headers.ts';
import { fieldsToHttp2, responseToHttp2 } from './header-rules.ts';
import { type BodySink, NO_BODY_FRAMING, type RequestHead, type ResponseHead, STREAM_FRAMING } from './message.ts';

function readHead(fields: RawHeaders, endStream: boolean, connection: ClientConnection): RequestHead | null {
  const method = pseudo(fields, ':method');
  const path = pseudo(fields, ':path');
  const host = field(fields, 'host');
  const own = pseudo(fields, ':authority');
  const named = own ?? host ?? '';
  const scheme = connection.context.target ? connection.context.scheme : pseudo(fields, ':scheme');
  if (!method || !path || (scheme !== 'http' && scheme !== 'https')) return null;
  const defaultPort = scheme === 'https' ? 443 : 80;
  const authority = parseAuthority(named, defaultPort);
  // RFC 9113, section 8.3.1: malformed. The way could be chosen by one, and the origin led by the other.
  if (own !== undefined && host !== undefined && !sameTarget(authority, parseAuthority(host, defaultPort))) return null;
  const target = connection.context.target ?? authority;
  if (!target) return null;
  return {
    method,
    scheme,
    authority: authority ? formatAuthority(scheme, authority.host, authority.port) : named,
    host: target.host,
    port: target.port,
    path,
    version: 'HTTP/2.0',
    headers: fields,
    framing: endStream ? NO_BODY_FRAMING : STREAM_FRAMING,
    wire: null,
    size: headSize(fields),
    upgrade: false,
    keepAlive: true,
  };
}

/** One h2 request and its response's way back. */
export class H2ClientStream implements ClientStream {
  readonly connection: ClientConnection;
  readonly head: RequestHead;
  readonly headAt = performance.now();
  readonly #stream: ServerHttp2Stream;
  readonly #flood: FloodWatch;
  #events: ClientStreamEvents | null = null;
  #trailers: RawHeaders = [];
  #awaitsTrailers = false;
  /** Payload bytes of the response that its content-length promises and that are not out yet; -1 where none does. */
  #left = -1;
  #requestEnded: boolean;
  #ended = false;
  #over = false;

  private constructor(stream: ServerHttp2Stream, head: RequestHead, connection: ClientConnection, flood: FloodWatch) {
    this.#stream = stream;
    this.#flood = flood;
    flood.took(head.size);
    this.head = head;
    this.connection = connection;
    this.#requestEnded = head.framing.kind === 'none';
    // Without a listener an error would be thrown; 'close' tells all that matters.
    stream.on('error', () => {});
  }

  /** Null for a request that lacks what RFC 9113, section 8.3.1, asks for. */
  static open(
    stream: ServerHttp2Stream,
    fields: RawHeaders,
    flags: number,
    connection: ClientConnection,
    flood: FloodWatch,
  ): H2ClientStream | null {
    const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    const head = readHead(fields, endStream, connection);
    return head && new H2ClientStream(stream, head, connection, flood);
  }

  /** Gives a client up that takes nothing of its response for so long, milliseconds: it keeps its window shut. */
  limitSilence(milliseconds: number): void {
    this.#stream.setTimeout(milliseconds);
    this.#stream.on('timeout', () => {
      if (this.#over || !(this.#stream.writableNeedDrain || this.#owesBytes)) return;
      this.#over = true;
      this.#events?.aborted(failure('client.stalled', { seconds: milliseconds / 1000 }), constants.NGHTTP2_CANCEL);
      this.#stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    });
  }

  /** The length that it promised is not there. A call both ways promises none, and may say nothing for long. */
  get #owesBytes(): boolean {
    const promised = field(this.head.headers, 'content-length') !== undefined;
    return promised && !this.#requestEnded && !this.#stream.isPaused();
  }

  receive(body: BodySink, events: ClientStreamEvents): void {
    const stream = this.#stream;
    this.#events = events;
    let trailers: RawHeaders = [];
    stream.on('drain', () => events.drain());
    stream.on('close', () => {
      if (!this.#requestEnded) this.#flood.left();
      if (this.#over || (this.#ended && this.#requestEnded)) return;
      this.#over = true;
      this.#flood.reset();
      events.aborted(failure('client.aborted', {}), stream.rstCode);
    });
    if (this.head.framing.kind === 'none') {
      // Not resumed: node:http2 ends what nobody reads by itself once the response is out. A stream whose reading has
      // ended is destroyed before its last write calls back, and Node makes an error, with its stack, of each one.
      body.end([]);
      return;
    }
    stream.on('trailers', (headers: IncomingHttpHeaders, _flags: number, raw?: string[]) => {
      trailers = rawFields(headers, raw);
    });
    stream.on('data', (chunk: Buffer) => {
      this.#flood.took(chunk.length);
      if (!body.piece(null, [chunk])) stream.pause();
      body.flush();
    });
    stream.on('end', () => {
      // Node says 'aborted' only while our side is open; behind an early response a reset ends the stream like an end.
      if (stream.aborted || stream.rstCode !== 0) return;
      this.#requestEnded = true;
      body.end(trailers);
      body.flush();
    });
  }

  resumeBody(): void {
    this.#stream.resume();
  }

  informational(head: ResponseHead): void {
    if (this.#gone) return;
    this.#stream.additionalHeaders(
      http2FieldObject(head.wire ? responseToHttp2(head.status, head.headers) : head.headers),
    );
  }

  /** Throws `upstream.bad-response` for a status that HTTP/2 has no place for. */
  respond(head: ResponseHead): void {
    if (this.#gone) return;
    if (head.status < 200 || head.status > 599) {
      const { authority } = this.head;
      throw roundtripError('upstream.bad-response', {
        address: authority,
        detail: `status ${head.status} over HTTP/2`,
      });
    }
    const fields = head.wire ? responseToHttp2(head.status, head.headers) : head.headers;
    const endStream = head.framing.kind === 'none';
    this.#awaitsTrailers = !endStream && mayHaveTrailers(fields);
    this.#ended = endStream;
    if (head.framing.kind !== 'none') this.#left = Number(field(fields, 'content-length') ?? -1);
    if (this.#awaitsTrailers) {
      this.#stream.on('wantTrailers', () => this.#stream.sendTrailers(http2FieldObject(fieldsToHttp2(this.#trailers))));
    }
    // Node would add a Date of its own to the fields, and to what is recorded. Its types don't know the option.
    const options = { endStream, sendDate: false, waitForTrailers: this.#awaitsTrailers };
    this.#stream.respond(http2Fields(fields), options);
  }

  get #gone(): boolean {
    return this.#over || this.#stream.destroyed || this.#stream.closed;
  }

  piece(_wire: Buffer | null, payload: readonly Buffer[]): boolean {
    if (this.#gone) return true;
    let open = true;
    for (const each of payload) open = this.#write(each);
    return open;
  }

  /** The last promised byte takes END_STREAM with it, which saves an empty frame and a write. */
  #write(bytes: Buffer): boolean {
    this.#left -= bytes.length;
    if (this.#left !== 0 || this.#awaitsTrailers) return this.#stream.write(bytes);
    this.#ended = true;
    this.#stream.end(bytes);
    return true;
  }

  end(trailers: RawHeaders): void {
    this.#trailers = trailers;
    if (this.#ended || this.#gone) return;
    this.#ended = true;
    this.#stream.end();
  }

  flush(): void {
    // node:http2 gathers the frames of a turn by itself.
  }

  reset(reset: Reset): void {
    if (this.#over) return;
    this.#over = true;
    // Behind a whole response it asks the client to stop sending (RFC 9113, section 8.1).
    const otherwise = this.#ended ? constants.NGHTTP2_NO_ERROR : constants.NGHTTP2_INTERNAL_ERROR;
    this.#stream.close(reset.code || otherwise);
  }

  upgrade(): null {
    return null;
  }
}

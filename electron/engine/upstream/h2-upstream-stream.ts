import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { Limits } from '../../../shared/model/limits.ts';
import { describe, failure, systemCode } from '../errors.ts';
import {
  field,
  headSize,
  http2FieldObject,
  http2Fields,
  mayHaveTrailers,
  pseudo,
  rawFields,
} from '../http/h2-headers.ts';
import { fieldsToHttp2, requestToHttp2 } from '../http/header-rules.ts';
import { NO_BODY_FRAMING, type RequestHead, type ResponseHead, STREAM_FRAMING } from '../http/message.ts';
import type { H2Upstream } from './h2-upstream.ts';
import { addressOf } from './origin.ts';
import type { RetryCause } from './retry-policy.ts';
import { lateAlert } from './server-trust-failure.ts';
import type { UpstreamHandlers, UpstreamStream } from './upstream-stream.ts';

const RESET_NAMES = new Map(
  Object.entries(constants)
    .filter(([name]) =>
      /^NGHTTP2_(?:NO_ERROR|.*_ERROR|REFUSED_STREAM|CANCEL|ENHANCE_YOUR_CALM|.*_SECURITY|HTTP_1_1_REQUIRED|.*_CLOSED|.*_TIMEOUT)$/.test(
        name,
      ),
    )
    .filter(([name]) => !name.startsWith('NGHTTP2_ERR'))
    .map(([name, code]) => [code as number, name.slice('NGHTTP2_'.length)]),
);

function readHead(fields: RawHeaders, flags: number): ResponseHead {
  const endStream = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
  return {
    status: Number(pseudo(fields, ':status')),
    statusText: '',
    version: 'HTTP/2.0',
    headers: fields,
    framing: endStream ? NO_BODY_FRAMING : STREAM_FRAMING,
    wire: null,
    size: headSize(fields),
    keepAlive: true,
  };
}

/** One exchange on an h2 session. */
export class H2UpstreamStream implements UpstreamStream {
  readonly #upstream: H2Upstream;
  readonly #session: ClientHttp2Session;
  readonly #handlers: UpstreamHandlers;
  readonly #limits: Limits;
  readonly #reused: boolean;
  #stream: ClientHttp2Stream | null = null;
  #trailers: RawHeaders = [];
  #left = -1;
  #awaitsTrailers = false;
  #requestEnded = false;
  #answered = false;
  /** Body bytes whose event came before that of their head. */
  #early: Buffer[] = [];
  #done = false;
  /** What node:http2 ended the stream with; its session tells the same, but later. */
  #error: NodeJS.ErrnoException | null = null;
  /** A frame of it could not go out: the session is at its end, and has not told yet. */
  #unsent = false;

  constructor(upstream: H2Upstream, session: ClientHttp2Session, handlers: UpstreamHandlers, limits: Limits) {
    this.#upstream = upstream;
    this.#session = session;
    this.#handlers = handlers;
    this.#limits = limits;
    this.#reused = upstream.info.reused;
  }

  send(head: RequestHead): void {
    const fields = head.wire ? requestToHttp2(head) : head.headers;
    const endStream = head.framing.kind === 'none';
    this.#awaitsTrailers = !endStream && mayHaveTrailers(fields);
    this.#requestEnded = endStream;
    if (!endStream) this.#left = Number(field(fields, 'content-length') ?? -1);
    try {
      this.#stream = this.#session.request(http2Fields(fields), { endStream, waitForTrailers: this.#awaitsTrailers });
    } catch (error) {
      this.#upstream.streamDone();
      this.#fail(this.#sessionFailure(error), this.#reused ? 'reused-connection-closed' : null, 0);
      return;
    }
    this.#listen(this.#stream);
  }

  #listen(stream: ClientHttp2Stream): void {
    stream.setTimeout(this.#limits.responseSilence, () => {
      const about = { address: addressOf(this.#upstream.origin), seconds: this.#limits.responseSilence / 1000 };
      this.#fail(failure('upstream.timeout', about, 'ETIMEDOUT'), null, constants.NGHTTP2_CANCEL);
    });
    stream.on('headers', (headers: IncomingHttpHeaders, flags: number, raw?: string[]) =>
      this.#handlers.informational(readHead(rawFields(headers, raw), flags)),
    );
    stream.on('response', (headers: IncomingHttpHeaders, flags: number, raw?: string[]) => {
      this.#answered = true;
      this.#handlers.response(readHead(rawFields(headers, raw), flags), performance.now());
      if (this.#early.length > 0) this.#take(stream, this.#early.splice(0));
    });
    stream.on('data', (chunk: Buffer) => {
      // node:http2 tells of a head in the next tick, but of bytes at once: those of the same TLS record can be first.
      if (this.#answered) this.#take(stream, [chunk]);
      else this.#early.push(chunk);
    });
    stream.on('trailers', (headers: IncomingHttpHeaders, _flags: number, raw?: string[]) => {
      this.#trailers = rawFields(headers, raw);
    });
    stream.on('end', () => this.#ended(stream));
    stream.on('error', (error: NodeJS.ErrnoException) => {
      this.#error = error;
    });
    stream.on('frameError', () => {
      this.#unsent = true;
    });
    stream.on('close', () => this.#closed(stream));
    stream.on('drain', () => this.#handlers.drain());
  }

  #take(stream: ClientHttp2Stream, payload: readonly Buffer[]): void {
    if (!this.#handlers.piece(null, payload)) stream.pause();
    this.#handlers.flush();
  }

  #ended(stream: ClientHttp2Stream): void {
    if (this.#done || !this.#answered || stream.aborted || stream.rstCode !== 0) return;
    this.#done = true;
    this.#handlers.end(this.#trailers);
  }

  #closed(stream: ClientHttp2Stream): void {
    this.#upstream.streamDone();
    if (this.#done) {
      if (!this.#requestEnded) this.#handlers.stopped();
      return;
    }
    const code = stream.rstCode;
    const refused = code === constants.NGHTTP2_REFUSED_STREAM && !this.#answered;
    if (this.#error?.code === 'ERR_HTTP2_ERROR') {
      // nghttp2's own verdict: what the server sent was no HTTP/2.
      const retry = refused ? 'refused-stream' : this.#reusedUnanswered();
      this.#fail(this.#broken(this.#error), retry, code);
    } else if (refused) {
      const unsent = this.#broken(this.#upstream.error ?? new Error('it ended before the request was sent'));
      this.#fail(this.#unsent ? unsent : this.#resetFailure(code), 'refused-stream', code);
    } else if (this.#upstream.usable && code !== 0) {
      this.#fail(this.#resetFailure(code), null, code);
    } else {
      this.#fail(this.#sessionFailure(this.#upstream.error), this.#reusedUnanswered(), code);
    }
  }

  #reusedUnanswered(): RetryCause | null {
    return this.#reused && !this.#answered ? 'reused-connection-closed' : null;
  }

  #resetFailure(code: number): Failure {
    const detail = RESET_NAMES.get(code) ?? `code ${code}`;
    return failure('upstream.stream-reset', { address: addressOf(this.#upstream.origin), detail });
  }

  #sessionFailure(error: unknown): Failure {
    const address = addressOf(this.#upstream.origin);
    if (this.#answered) return failure('upstream.body-cut-short', { address }, systemCode(error));
    const alert = this.#reused ? null : lateAlert(error, this.#upstream.origin);
    if (alert) return alert;
    if (error === null) return failure('upstream.empty-response', { address });
    return this.#broken(error);
  }

  #broken(error: unknown): Failure {
    const address = addressOf(this.#upstream.origin);
    return failure('upstream.http2-error', { address, detail: describe(error) }, systemCode(error));
  }

  #fail(about: Failure, retry: RetryCause | null, resetCode: number): void {
    if (this.#done) return;
    this.#done = true;
    this.#stream?.close(resetCode || constants.NGHTTP2_CANCEL);
    const tcpReset = systemCode(this.#upstream.error) === 'ECONNRESET';
    this.#handlers.failed({ failure: about, retry, resetCode, tcpReset });
  }

  piece(_wire: Buffer | null, payload: readonly Buffer[]): boolean {
    let open = true;
    for (const each of payload) open = this.#write(each);
    return open;
  }

  #write(bytes: Buffer): boolean {
    const stream = this.#stream;
    if (!stream || stream.destroyed || stream.closed) return true;
    this.#left -= bytes.length;
    if (this.#left !== 0 || this.#awaitsTrailers) return stream.write(bytes);
    this.#requestEnded = true;
    stream.end(bytes);
    return true;
  }

  end(trailers: RawHeaders): void {
    const stream = this.#stream;
    if (this.#requestEnded || !stream || stream.destroyed || stream.closed) return;
    this.#requestEnded = true;
    if (this.#awaitsTrailers)
      stream.on('wantTrailers', () => stream.sendTrailers(http2FieldObject(fieldsToHttp2(trailers))));
    stream.end();
  }

  flush(): void {
    // node:http2 gathers the frames of a turn by itself.
  }

  resume(): void {
    this.#stream?.resume();
  }

  halfClose(): boolean {
    return false;
  }

  cancel(code: number): void {
    this.#done = true;
    this.#requestEnded = true;
    this.#stream?.close(code || constants.NGHTTP2_CANCEL);
  }

  upgrade(): null {
    return null;
  }
}

import type { Failure } from '../../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { Limits } from '../../../../shared/model/limits.ts';
import { describe, failure, systemCode } from '../../../failures/errors.ts';
import { headSize, pseudo } from '../../http/h2-headers.ts';
import { fieldsToHttp2 } from '../../http/header-rules.ts';
import { NO_BODY_FRAMING, type RequestHead, type ResponseHead, STREAM_FRAMING } from '../../http/message.ts';
import { CODE, ConnectionFault, codeName } from '../../http2/error-codes.ts';
import type { Http2Stream } from '../../http2/stream.ts';
import type { StreamClose, StreamHandlers } from '../../http2/stream-events.ts';
import { turn } from '../../turn.ts';
import type { ConnectionUser } from '../connection-user.ts';
import { addressOf } from '../origin.ts';
import type { RetryCause } from '../retry-policy.ts';
import { silenceFailure } from '../silence-failure.ts';
import { lateAlert } from '../trust/server-trust-failure.ts';
import { NEVER_WRITTEN, type UpstreamHandlers, type UpstreamStream, type Written } from '../upstream-stream.ts';
import type { H2Session } from './h2-session.ts';

function readHead(fields: RawHeaders, endStream: boolean): ResponseHead {
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

/** Failures of a connection that ended or broke without a stated reason. */
const CLOSED: ReadonlySet<string> = new Set(['upstream.empty-response', 'upstream.http2-error']);

/** One exchange on an h2 connection. */
export class H2UpstreamStream implements UpstreamStream, StreamHandlers {
  readonly user: ConnectionUser;
  readonly #upstream: H2Session;
  readonly #handlers: UpstreamHandlers;
  readonly #limits: Limits;
  readonly #reused: boolean;
  #stream: Http2Stream | null = null;
  #requestEnded = false;
  #responded = false;
  #done = false;
  #writesBefore = -1;

  constructor(upstream: H2Session, handlers: UpstreamHandlers, user: ConnectionUser, limits: Limits) {
    this.user = user;
    this.#upstream = upstream;
    this.#handlers = handlers;
    this.#limits = limits;
    this.#reused = upstream.info.reused;
  }

  send(head: RequestHead): void {
    if (!this.#upstream.usable) {
      const about = failure('upstream.empty-response', { address: this.#address });
      this.#fail(about, 'connection-found-closed', 0, { by: 'loss', code: 0, cause: null });
      return;
    }
    this.#requestEnded = head.framing.kind === 'none';
    this.#writesBefore = this.#upstream.writes;
    this.#stream = this.#upstream.request(head, this.#requestEnded, this);
  }

  get written(): Written {
    return this.#stream?.stamps ?? NEVER_WRITTEN;
  }

  whenOut(tell: () => void): void {
    this.#stream?.stamps.whenOut(tell);
  }

  onHead(fields: RawHeaders, endStream: boolean): void {
    const head = readHead(fields, endStream);
    head.neverIndexed = this.#stream?.neverIndexed ?? null;
    if (head.status < 200) {
      this.#handlers.informational(head);
      return;
    }
    this.#responded = true;
    this.#handlers.response(head, turn.arrivedAt);
  }

  onData(bytes: Buffer): boolean {
    return this.#handlers.piece(null, [bytes]);
  }

  onEnd(trailers: RawHeaders): void {
    if (this.#done) return;
    this.#done = true;
    this.#handlers.end(trailers);
  }

  onReadOver(): void {
    if (!this.#done) this.#handlers.flush();
  }

  onDrained(): void {
    this.#handlers.drain();
  }

  onClosed(how: StreamClose): void {
    if (this.#done) {
      if (!this.#requestEnded) this.#handlers.stopped();
      return;
    }
    const refused = how.code === CODE.REFUSED_STREAM && !this.#responded;
    if (how.by === 'peer') {
      const about = failure('upstream.stream-reset', { address: this.#address, detail: codeName(how.code) });
      this.#fail(about, refused ? 'refused-stream' : null, how.code, how);
    } else {
      const about = how.by === 'fault' ? this.#protocolFailure(how.cause, how.code) : this.#lost(how.cause);
      // A faulty response is still a response. Only a connection that broke may not have delivered the request.
      const asked = how.by === 'fault' && !(how.cause instanceof ConnectionFault);
      // The code of a lost connection did not come from the peer.
      this.#fail(about, asked ? null : this.#retryCause(about, how.by), how.by === 'loss' ? 0 : how.code, how);
    }
  }

  /** No data has passed for as long as a response may take. */
  onSilence(): void {
    const stream = this.#stream;
    // The client is not reading the response, or has not finished sending its request.
    if (!stream || stream.held || (!this.#requestEnded && stream.out.bytes === 0)) return;
    // Many clients treat a stream reset with CANCEL as a normal end.
    this.#fail(silenceFailure(this.#address, this.#limits.responseSilence), null, CODE.INTERNAL_ERROR);
    stream.reset(CODE.CANCEL);
  }

  get #address(): string {
    return addressOf(this.#upstream.origin);
  }

  /**
   * The retry cause if no response arrived. A late alert that rejects our client certificate does not count as the
   * closure of a fresh connection.
   */
  #retryCause({ code }: Failure, by: StreamClose['by']): RetryCause | null {
    if (this.#responded) return null;
    if (by === 'loss' && this.#reused && this.#upstream.writes === this.#writesBefore) return 'connection-found-closed';
    if (this.#reused) return 'reused-connection-closed';
    return CLOSED.has(code) ? 'fresh-connection-closed' : null;
  }

  #lost(error: Error | null): Failure {
    const address = this.#address;
    if (this.#responded) return failure('upstream.body-cut-short', { address }, systemCode(error));
    const alert = this.#reused ? null : lateAlert(error, this.#upstream.origin);
    if (alert) return alert;
    return error === null ? failure('upstream.empty-response', { address }) : this.#protocolFailure(error);
  }

  #protocolFailure(error: Error | null, code: number = CODE.PROTOCOL_ERROR): Failure {
    if (code === CODE.INTERNAL_ERROR) return failure('engine.internal', { detail: describe(error) });
    const { origin, isSettled } = this.#upstream;
    // Without ALPN the server was never asked whether it speaks HTTP/2.
    if (error instanceof ConnectionFault && !isSettled && origin.scheme === 'http') {
      const detail = 'HTTP/2, which the client speaks (its response is not HTTP/2)';
      return failure('upstream.protocol-unsupported', { address: this.#address, detail });
    }
    return failure('upstream.http2-error', { address: this.#address, detail: describe(error) }, systemCode(error));
  }

  #fail(about: Failure, retry: RetryCause | null, resetCode: number, how: StreamClose | null = null): void {
    if (this.#done) return;
    this.#done = true;
    const tcpReset = systemCode(how?.cause) === 'ECONNRESET';
    const lost = how?.by === 'loss' ? this.#upstream.loss : how?.by === 'peer' ? 'stream' : null;
    this.#handlers.failed({ failure: about, retry, resetCode, tcpReset, lost });
  }

  piece(_wire: Buffer | null, payload: readonly Buffer[]): boolean {
    let open = true;
    for (const each of payload) open = this.#stream?.write(each) ?? true;
    return open;
  }

  end(trailers: RawHeaders): void {
    if (this.#requestEnded) return;
    this.#requestEnded = true;
    this.#stream?.end(trailers.length > 0 ? fieldsToHttp2(trailers) : trailers);
  }

  flush(): void {
    // The connection itself gathers the frames of a turn.
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
    this.#stream?.reset(code || CODE.CANCEL);
  }

  upgrade(): null {
    return null;
  }
}

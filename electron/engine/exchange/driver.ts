import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import { failure, failureOf } from '../../failures/errors.ts';
import type { EngineContext } from '../engine-context.ts';
import type { ClientStream, RequestHandlers, Reset } from '../http/client-stream.ts';
import { type RequestHead, type ResponseHead, switchesProtocol } from '../http/message.ts';
import type { UpstreamLoss } from '../http2/connection-loss.ts';
import { CODE } from '../http2/error-codes.ts';
import type { Listed } from '../live-list.ts';
import type { LocalResponse } from '../rules/actions/answer.ts';
import { type Afterwards, turn } from '../turn.ts';
import { addressOf } from '../upstream/origin.ts';
import type { UpstreamConnection, UpstreamEnd, UpstreamHandlers, UpstreamStream } from '../upstream/upstream-stream.ts';
import { ExchangeClock } from './exchange-clock.ts';
import { connectionNow, ExchangeLog, requestMessage } from './exchange-log.ts';
import { ExchangePipes } from './exchange-pipes.ts';
import { type ExchangeEvent, type ExchangePhase, nextPhase } from './exchange-state.ts';
import { RequestFlow } from './flow/request-flow.ts';
import { ResponseFlow, type ResponseFlowOwner } from './flow/response-flow.ts';
import type { RetainedBody } from './flow/retained-body.ts';
import { LocalUpstream } from './local-upstream.ts';
import type { RequestPipeOwner } from './request-pipe.ts';
import type { SpliceError } from './splice.ts';
import { Tries, type TriesOwner } from './tries.ts';
import { endUpgraded, joinUpgraded } from './upgrade.ts';
import { hasWholeBody } from './whole-body.ts';

/**
 * The maximum of one exchange's 1xx heads, bytes. They are kept for the record, and neither HTTP/1.1 nor HTTP/2 can
 * hold them back for a client that does not read. A 102 each 10 s reaches it after four days.
 */
const INTERIM_LIMIT = 1024 * 1024;

/**
 * Drives one exchange: connects the client's stream, the attempts upstream and the record. If rules match, a pipe is in
 * between; without one, bytes take the shortest path.
 */
export class ExchangeDriver
  implements UpstreamHandlers, TriesOwner, RequestHandlers, RequestPipeOwner, ResponseFlowOwner, Listed, Afterwards
{
  listedAt = -1;
  readonly #context: EngineContext;
  readonly #client: ClientStream;
  readonly #log: ExchangeLog;
  readonly #clock: ExchangeClock;
  readonly #tries: Tries;
  readonly #pipes: ExchangePipes;
  readonly #request: RequestFlow;
  readonly #response: ResponseFlow;
  /** The request for upstream: the client's, unless a rule changed it. */
  head: RequestHead;
  /** The current attempt. Null: none is under way, or its connection is free again. */
  upstream: UpstreamStream | null = null;
  #phase: ExchangePhase = 'connecting';
  /** After an upgrade: the handle that ends both connections. */
  #joined: { cancel(): void } | null = null;
  /** The client closed its sending side after its request. */
  #halfClosed = false;
  /** The turn will call `out` when all writes have left. */
  #writing = false;

  constructor(context: EngineContext, client: ClientStream) {
    this.#context = context;
    this.#client = client;
    const { connection, head, headAt } = client;
    this.head = head;
    this.#log = new ExchangeLog(context.observer, 'http', {
      startedAt: headAt,
      client: connectionNow(connection.info),
      request: requestMessage(head),
    });
    this.#clock = new ExchangeClock(headAt);
    this.#pipes = ExchangePipes.for(context, this.#log, client, this.#clock);
    this.#tries = new Tries(context, { client, log: this.#log, clock: this.#clock, owner: this });
    this.#request = new RequestFlow(client, this.#pipes, this, context.limits.resendBytes);
    this.#response = new ResponseFlow(client, this.#log, this.#pipes, this);
  }

  start(): void {
    this.#context.live.add(this);
    this.guarded(() => this.#begin());
  }

  #begin(): void {
    if (!this.#pipes.holdRequest(this)) this.proceed(this.#client.head, null);
  }

  proceed(head: RequestHead, body: RetainedBody | null): void {
    const { host, port, authority } = head;
    if (this.#context.isOurs(host, port)) {
      this.#fail(failure('tunnel.to-itself', { authority }));
      return;
    }
    if (head !== this.head) this.#log.sent(head);
    this.head = head;
    if (body) this.#request.replace(body);
    this.#tries.begin();
  }

  respondLocally(response: LocalResponse, isWhole: boolean, about: (detail: string) => Failure): void {
    this.#step('sent');
    this.#request.ended ||= isWhole;
    const local = new LocalUpstream(response, about, this);
    this.upstream = local;
    local.send();
    this.drain();
  }

  failByRule(about: Failure, reset: Reset): void {
    this.upstream?.cancel(0);
    this.#fail(about, reset);
  }

  /** The engine is closing: ends the exchange if it is still open. */
  stop(): void {
    if (this.#phase === 'over') return;
    this.upstream?.cancel(0);
    this.#joined?.cancel();
    this.#fail(failure('engine.stopped', {}));
  }

  get connects(): boolean {
    return this.#phase === 'connecting';
  }

  get receives(): boolean {
    return this.#phase === 'receiving';
  }

  #step(event: ExchangeEvent): void {
    this.#phase = nextPhase(this.#phase, event);
  }

  gaveUp(about: Failure, tcpReset: boolean, lost: UpstreamLoss): void {
    this.#fail(about, { code: 0, tcpReset, lost });
  }

  lent(connection: UpstreamConnection): void {
    this.#tries.began(connection);
    this.#step('sent');
    const upstream = connection.begin(this, this.#client.connection);
    this.upstream = upstream;
    upstream.send(this.head, this.#tries.repeatable);
    // If the session had ended before, the send has already failed and another attempt has begun.
    if (this.upstream !== upstream) return;
    this.#sendBody(upstream);
  }

  #sendBody(upstream: UpstreamStream): void {
    this.#request.replay(upstream);
    this.whenOut();
    this.listen();
    // Flush after this turn: the part of the body that was read with the head then leaves in the same write.
    if (!this.#request.ended) queueMicrotask(() => this.requestFlush());
    this.drain();
    if (this.#halfClosed) this.clientHalfClosed();
  }

  listen(): void {
    this.#request.listen(this);
  }

  requestPiece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    if (this.#phase === 'over') return true;
    const recorded = this.#log.body('request', payload);
    if (!recorded) this.#log.onDrain(() => this.drain());
    return this.#request.piece(wire, payload, recorded);
  }

  requestEnd(trailers: RawHeaders): void {
    if (this.#phase === 'over') return;
    this.#log.bodyEnded('request', trailers);
    if (this.#request.end(trailers)) this.whenOut();
  }

  requestFlush(): void {
    this.upstream?.flush();
    if (this.#clock.sendAt < 0) this.whenOut();
  }

  drain(): void {
    this.#request.drain();
  }

  clientDrained(): void {
    this.#response.drained();
  }

  informational(head: ResponseHead): void {
    if (this.#phase !== 'sending') return;
    if (this.#log.informed(head) <= INTERIM_LIMIT) this.guarded(() => this.#client.informational(head));
    else this.#refuseInterim();
  }

  #refuseInterim(): void {
    const address = addressOf(this.head);
    this.upstream?.cancel(CODE.ENHANCE_YOUR_CALM);
    this.#fail(failure('upstream.too-many-interim', { address, limit: INTERIM_LIMIT }));
  }

  response(head: ResponseHead, at: number): void {
    if (this.#phase === 'sending') this.guarded(() => this.#respond(head, at));
  }

  #respond(head: ResponseHead, firstByteAt: number): void {
    this.#step('responded');
    this.#request.forget();
    this.#clock.requestOut(this.upstream?.written, this.#request.ended);
    this.#clock.responded(firstByteAt);
    this.#log.responseArrived(head);
    // On HTTP/2 a CONNECT stays a stream.
    const switches = switchesProtocol(head.status, this.#client.head.method) && head.version !== 'HTTP/2.0';
    if (!switches && this.#pipes.holdResponse(head, this.#response)) return;
    this.#client.respond(head);
    if (switches) this.#upgraded();
  }

  #upgraded(): void {
    const joint = { halfOpenTime: this.#context.limits.clientSilence, pipes: this.#pipes, log: this.#log };
    this.#joined = joinUpgraded(this.#client, this.upstream, joint, {
      out: () => this.out(),
      closed: (spliceError) => this.#switchedBack(spliceError),
    });
    this.#step('switched');
    this.upstream = null;
  }

  #switchedBack(spliceError: SpliceError | null): void {
    if (this.#phase === 'over') return;
    this.#finish();
    endUpgraded(this.#log, spliceError);
  }

  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    return this.#phase === 'receiving' ? this.#response.piece(wire, payload) : true;
  }

  /** Upstream may respond before it has the whole request. It still gets the rest, as it would without us. */
  end(trailers: RawHeaders): void {
    if (this.#phase !== 'receiving' || this.#response.ended) return;
    this.#clock.lastByteAt = turn.arrivedAt;
    // The connection is free now, and another exchange may already be using it.
    if (this.#request.ended) this.upstream = null;
    this.#response.end(trailers);
  }

  flush(): void {
    this.#response.flush();
  }

  whenOut(): void {
    if (this.#writing) return;
    this.#writing = true;
    turn.afterwards(this);
  }

  /**
   * Updates the row when a stage's bytes are out. Most exchanges end within the last stage's turn, which saves a row.
   */
  out(): void {
    this.#writing = false;
    if (this.#phase === 'over' || this.#phase === 'connecting') return;
    const clock = this.#clock;
    clock.requestOut(this.upstream?.written, this.#request.ended);
    // A closed window of HTTP/2 keeps the end of a request here.
    if (clock.sendAt < 0 || (clock.sentAt < 0 && this.#request.ended)) this.upstream?.whenOut(() => this.whenOut());
    clock.responseOut(this.#client.respondedAt);
    if (this.#response.ended) {
      clock.ended(this.#client.wroteAt);
      if (this.#request.ended) this.#endWith(null);
    } else this.#log.reached(clock);
  }

  internalError(error: unknown): void {
    this.upstream?.cancel(0);
    this.#fail(failureOf(error));
  }

  stopped(): void {
    if (this.#phase === 'over' || !this.#response.ended) return;
    this.#endWith(null);
    this.#client.reset({ code: 0, tcpReset: false });
  }

  failed(end: UpstreamEnd): void {
    if (this.#phase === 'over') return;
    this.#clock.requestOut(this.upstream?.written, this.#request.ended);
    this.upstream = null;
    if (this.#phase === 'sending' && this.#tries.again(end, this.#request.isRepeatable)) {
      this.#request.ended = false;
      this.#step('retried');
      return;
    }
    this.#tries.ended(end.failure);
    // Most servers answer a half-closed client by closing: they see a client that has gone away.
    const about = this.#halfClosed ? failure('client.aborted', {}) : end.failure;
    this.#fail(about, { code: end.resetCode, tcpReset: end.tcpReset, lost: end.lost ?? null });
  }

  clientHalfClosed(): void {
    this.#halfClosed = true;
    this.#pipes.clientLeft();
    if (this.#phase === 'over' || this.upstream?.halfClose()) return;
    if (!this.upstream && !this.#pipes.request?.neverResponds) return;
    this.clientAborted(failure('client.aborted', {}), 0);
    this.#client.reset({ code: 0, tcpReset: false });
  }

  clientAborted(about: Failure, code: number): void {
    if (this.#phase === 'over') return;
    this.upstream?.cancel(code);
    // The client has its response. It may withhold the rest of its request, or not wait for the end.
    this.#endWith(this.#response.ended || this.#hasTakenAll(about) ? null : about);
  }

  #hasTakenAll({ code }: Failure): boolean {
    if (code !== 'client.aborted' || this.#phase !== 'receiving') return false;
    if (this.#response.held || !this.#client.hasTakenAll || !hasWholeBody(this.#log.exchange)) return false;
    this.#log.bodyEnded('response', []);
    return true;
  }

  /** Null: complete. */
  #endWith(about: Failure | null): void {
    this.#finish();
    const state = about === null ? 'complete' : about.code === 'client.aborted' ? 'aborted' : 'failed';
    this.#pipes.over(state === 'aborted');
    this.#log.end(state, about, this.#pipes);
  }

  /** Ends the exchange. The client's stream is reset, which lets the client show its own error (no invented 5xx). */
  #fail(about: Failure, reset: Reset = { code: 0, tcpReset: false }): void {
    if (this.#phase === 'over') return;
    this.#endWith(about);
    this.#client.reset(reset);
  }

  #finish(): void {
    this.#step('ended');
    this.#context.live.remove(this);
    this.#clock.requestOut(this.upstream?.written, this.#request.ended);
    if (this.#clock.endAt < 0) this.#clock.endAt = performance.now();
    this.#clock.write(this.#log.exchange.timings);
    this.#tries.ended(null);
  }

  /** One bad exchange must not break others (law 6). */
  guarded(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.internalError(error);
    }
  }
}

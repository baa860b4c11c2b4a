import type { BodySide } from '../../../shared/model/body-side.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange, ExchangeKind, ExchangeState } from '../../../shared/model/exchange.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../shared/model/headers.ts';
import type { InformationalMessage, RequestMessage, ResponseMessage } from '../../../shared/model/message.ts';
import type { UpstreamRoute } from '../../../shared/model/proxy/upstream-route.ts';
import type { MessageEdits } from '../../../shared/model/rule/message-edits.ts';
import { NO_TIMINGS } from '../../../shared/model/timings.ts';
import { failure } from '../../failures/errors.ts';
import type { ExchangeObserver } from '../engine-event.ts';
import type { RequestHead, ResponseHead } from '../http/message.ts';
import { type MessageMarker, messageMarker } from '../messages/message-marker.ts';
import { describeOverride } from '../route/host-overrides.ts';
import type { Origin } from '../upstream/origin.ts';
import { type ExchangeClock, STAGES, type Stage } from './exchange-clock.ts';
import { epochOf } from './wall-clock.ts';

const NO_FIELDS: RawHeaders = [];

export function requestMessage(head: RequestHead): RequestMessage {
  return {
    method: head.method,
    scheme: head.scheme,
    authority: head.authority,
    host: head.host,
    port: head.port,
    path: head.path,
    httpVersion: head.version,
    headers: head.headers,
    trailers: NO_FIELDS,
    headSize: head.size,
    body: { size: 0, stored: 0, complete: head.framing.kind === 'none' },
  };
}

function responseMessage(head: ResponseHead): ResponseMessage {
  return {
    status: head.status,
    statusText: head.statusText,
    httpVersion: head.version,
    headers: head.headers,
    trailers: NO_FIELDS,
    headSize: head.size,
    body: { size: 0, stored: 0, complete: head.framing.kind === 'none' },
    informational: [],
  };
}

/** `startedAt`: a value of `performance.now()`. */
interface Beginning {
  startedAt: number;
  client: ConnectionInfo;
  request: RequestMessage;
}

/** Reports an exchange to the observer, or nothing if recording was off when the exchange began. */
export class ExchangeLog {
  readonly exchange: Exchange;
  readonly #observer: ExchangeObserver;
  readonly #recorded: boolean;
  #marker: MessageMarker | null = null;
  #stage: Stage = STAGES.blocked;
  #informed: InformationalMessage[] | null = null;
  #informedBytes = 0;
  #head: ResponseHead | null = null;
  #noted: Failure | null = null;
  /** Trailers that a rule changed: those that go upstream, and those that came from there. */
  #otherTrailers: Partial<Record<'sent' | 'received', RawHeaders>> = {};

  constructor(observer: ExchangeObserver, kind: ExchangeKind, { startedAt, client, request }: Beginning) {
    this.#observer = observer;
    this.#recorded = observer.recording;
    this.exchange = {
      id: this.#recorded ? observer.nextExchangeId() : 0,
      revision: 0,
      kind,
      state: 'open',
      startedAt: epochOf(startedAt),
      client,
      upstream: null,
      route: null,
      request,
      response: null,
      attempts: [],
      timings: { ...NO_TIMINGS },
      failure: null,
      rules: [],
      sent: null,
      received: null,
      mark: null,
      messageEdits: null,
      replayOf: null,
    };
  }

  /** A 1xx response arrived before the final one. */
  /** Returns the size of all 1xx heads of this exchange so far, bytes. */
  informed({ status, statusText, headers, size }: ResponseHead): number {
    this.#informed ??= [];
    this.#informed.push({ status, statusText, headers });
    this.#informedBytes += size;
    return this.#informedBytes;
  }

  /** The response's head has arrived. If messages follow, they are marked as they pass. */
  responseArrived(head: ResponseHead): void {
    const { exchange } = this;
    const response = responseMessage(head);
    this.#head = head;
    exchange.response = response;
    if (this.#informed) response.informational = this.#informed;
    if (!this.#recorded) return;
    this.#marker = messageMarker(exchange.request, response, (mark) => this.#observer.message(exchange, mark));
    // Over HTTP/2 a WebSocket is an accepted CONNECT (RFC 8441).
    if (this.#marker && exchange.request.method === 'CONNECT') exchange.kind = 'upgrade';
  }

  changed(): void {
    if (!this.#recorded) return;
    this.exchange.revision += 1;
    this.#observer.changed(this.exchange);
  }

  /** Reports the stage that the exchange has reached, once per stage. */
  reached(clock: ExchangeClock): void {
    if (clock.stage === this.#stage) return;
    this.#stage = clock.stage;
    clock.write(this.exchange.timings);
    this.changed();
  }

  /** Counts and forwards a body's bytes. Returns false to pause the body until `onDrain` calls back. */
  body(side: BodySide, payload: readonly Buffer[]): boolean {
    const message = side === 'request' ? this.exchange.request : this.exchange.response;
    if (!message) return true;
    let open = true;
    for (const piece of payload) {
      message.body.size += piece.length;
      this.#marker?.bytes(side, piece);
      if (this.#recorded && !this.#observer.bodyPiece(this.exchange, side, piece)) open = false;
    }
    return open;
  }

  /** The whole body has arrived. */
  bodyEnded(side: BodySide, trailers: RawHeaders): void {
    const { exchange } = this;
    if (side === 'request') {
      if (trailers.length > 0) exchange.request = { ...exchange.request, trailers };
      exchange.request.body.complete = true;
      this.#settleTrailers('sent', trailers);
    } else if (exchange.response) {
      if (trailers.length > 0) exchange.response = { ...exchange.response, trailers };
      exchange.response.body.complete = true;
      this.#settleTrailers('received', trailers);
    }
  }

  /** A rule changed a message, and maybe its trailers. `others`: those of its other version otherwise. */
  #settleTrailers(side: 'sent' | 'received', others: RawHeaders): void {
    const { exchange } = this;
    const trailers = this.#otherTrailers[side] ?? others;
    if (side === 'sent') exchange.sent &&= { ...exchange.sent, trailers };
    else exchange.received &&= { ...exchange.received, trailers };
  }

  /** The trailers of that version of a message differ from those of the other. */
  otherTrailers(side: 'sent' | 'received', trailers: RawHeaders): void {
    this.#otherTrailers[side] = trailers;
    this.#settleTrailers(side, trailers);
  }

  /** A rule edited the body: records that version. Its head is known. `complete`: nothing is missing. */
  otherBody(side: 'sent' | 'received', pieces: Iterable<Buffer>, complete: boolean): void {
    const message = this.exchange[side];
    if (message === null) return;
    const body = { size: 0, stored: 0, complete, own: true };
    message.body = body;
    for (const piece of pieces) {
      body.size += piece.length;
      if (this.#recorded) this.#observer.bodyPiece(this.exchange, side, piece);
    }
  }

  /** A rule changed a message of the exchange's stream. Returns where to keep it. */
  messageEdited(): MessageEdits {
    this.exchange.messageEdits ??= { kept: [], total: 0 };
    this.exchange.messageEdits.total += 1;
    return this.exchange.messageEdits;
  }

  /** Calls `resume` once, when a paused body may continue. */
  onDrain(resume: () => void): void {
    this.#observer.onDrain(this.exchange, resume);
  }

  /** A rule changed the request: this is what went upstream. */
  sent(head: RequestHead): void {
    this.exchange.sent = requestMessage(head);
    this.#settleTrailers('sent', this.exchange.request.trailers);
  }

  /** A rule changed the response: this is what the client gets. */
  responded(head: ResponseHead): void {
    const { exchange } = this;
    if (head === this.#head) return;
    exchange.received = exchange.response;
    exchange.response = { ...responseMessage(head), informational: exchange.response?.informational ?? [] };
  }

  /** Something failed that did not end the exchange: its row shows it, unless the exchange fails for another reason. */
  noted(about: Failure): void {
    this.#noted ??= about;
  }

  /** `rules`: may mark the exchange. */
  end(state: Exclude<ExchangeState, 'open'>, about: Failure | null, rules?: { mark(): void }): void {
    this.exchange.state = state;
    this.exchange.failure = about ?? this.#noted ?? this.#fault();
    rules?.mark();
    if (!this.#recorded) return;
    this.exchange.revision += 1;
    this.#observer.ended(this.exchange);
  }

  /** The fault of a response that was forwarded despite it. */
  #fault(): Failure | null {
    const detail = this.#head?.fault;
    return detail ? failure('upstream.faulty-response', { address: this.exchange.request.authority, detail }) : null;
  }
}

/** The chosen route in its recorded form. */
export function routeOf({ proxy, reason, override }: Origin): UpstreamRoute {
  return { via: proxy?.label ?? null, reason, answer: null, override: override && describeOverride(override) };
}

/** The client side for an exchange's record: a snapshot of the connection's info. */
export function connectionNow(info: ConnectionInfo): ConnectionInfo {
  return { ...info };
}

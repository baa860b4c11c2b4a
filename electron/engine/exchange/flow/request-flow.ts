import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { ClientStream, RequestHandlers } from '../../http/client-stream.ts';
import type { UpstreamStream } from '../../upstream/upstream-stream.ts';
import type { ExchangePipes } from '../exchange-pipes.ts';
import { RetainedBody } from './retained-body.ts';

/** What the exchange's two directions share. */
export interface Attempted {
  /** The current attempt; null: none is under way, or its connection is free again. */
  upstream: UpstreamStream | null;
}

/** The body of one request on its way upstream, or to the pipe of its rules. What was sent is kept for a retry. */
export class RequestFlow {
  /** Nothing of the request is left to send in this attempt. */
  ended = false;
  readonly #client: ClientStream;
  readonly #pipes: ExchangePipes;
  readonly #exchange: Attempted;
  /** Null for a request without a body. */
  #retained: RetainedBody | null;
  #receiving = false;
  /** The client was asked to pause. */
  #held = false;

  constructor(client: ClientStream, pipes: ExchangePipes, exchange: Attempted, resendBytes: number) {
    this.#client = client;
    this.#pipes = pipes;
    this.#exchange = exchange;
    this.#retained = client.head.framing.kind === 'none' ? null : new RetainedBody(resendBytes);
  }

  /** Whether another attempt can send the same body. */
  get isRepeatable(): boolean {
    return this.#retained?.complete ?? true;
  }

  /** A rule changed the body, or read it to decide whether to. */
  replace(body: RetainedBody): void {
    this.#retained = body;
  }

  /** No attempt follows: the body need not be kept. */
  forget(): void {
    this.#retained?.drop();
  }

  /** Starts receiving the body from the client. Pieces wait while there is no connection for them. */
  listen(handlers: RequestHandlers): void {
    if (this.#receiving) return;
    this.#receiving = true;
    (this.#pipes.uplink ?? this.#client).receive(handlers);
  }

  /** Sends what has arrived of the body, as an attempt begins. */
  replay(upstream: UpstreamStream): void {
    if (this.#retained === null || this.#retained.replay(upstream)) this.ended = true;
  }

  /** `recorded`: the recorder has room. Returns false if the client should pause. */
  piece(wire: Buffer | null, payload: readonly Buffer[], recorded: boolean): boolean {
    const { request } = this.#pipes;
    let open: boolean;
    if (request?.takes) open = request.piece(wire, payload);
    else open = this.#pass(request ? request.framed(wire, payload) : wire, payload);
    this.#held = !open || !recorded;
    return !this.#held;
  }

  #pass(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    this.#retained?.add(wire, payload);
    return this.#exchange.upstream?.piece(wire, payload) ?? false;
  }

  /** Returns false if the end waits for an attempt. */
  end(trailers: RawHeaders): boolean {
    const { request } = this.#pipes;
    if (request?.takes) {
      this.ended = request.end(trailers);
      return true;
    }
    const sent = request ? request.ended(trailers) : { trailers, last: null };
    if (sent.last) this.#pass(sent.last, []);
    this.#retained?.end(sent.trailers);
    this.#exchange.upstream?.end(sent.trailers);
    // Checked again: the attempt may have failed while it sent the end, and the next one sends it again.
    if (!this.#exchange.upstream) return false;
    this.ended = true;
    return true;
  }

  /** There may be room again: in the recorder, upstream or the pipe. */
  drain(): void {
    if (!this.#held || !(this.#exchange.upstream || this.#pipes.request?.hasRoom)) return;
    this.#held = false;
    (this.#pipes.uplink ?? this.#client).resumeBody();
  }
}

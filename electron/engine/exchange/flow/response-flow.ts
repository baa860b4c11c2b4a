import type { Failure } from '../../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { ClientStream, Reset } from '../../http/client-stream.ts';
import type { ResponseHead } from '../../http/message.ts';
import type { ExchangeLog } from '../exchange-log.ts';
import type { ExchangePipes } from '../exchange-pipes.ts';
import type { PacedResponseOwner } from '../pace/paced-response.ts';
import type { Attempted } from './request-flow.ts';

/** The exchange whose response this is. */
export interface ResponseFlowOwner extends Attempted {
  readonly receives: boolean;
  failByRule(about: Failure, reset: Reset): void;
  guarded(work: () => unknown): void;
  /** Updates the row once what was written has left. */
  whenOut(): void;
}

/** One response on its way to the client: directly, or from the pipe of its rules, which requests each step. */
export class ResponseFlow implements PacedResponseOwner {
  /** The client has the whole response; upstream may still be receiving the request. */
  ended = false;
  /** Upstream was asked to pause. */
  held = false;
  readonly #client: ClientStream;
  readonly #log: ExchangeLog;
  readonly #pipes: ExchangePipes;
  readonly #owner: ResponseFlowOwner;

  constructor(client: ClientStream, log: ExchangeLog, pipes: ExchangePipes, owner: ResponseFlowOwner) {
    this.#client = client;
    this.#log = log;
    this.#pipes = pipes;
    this.#owner = owner;
  }

  get receives(): boolean {
    return this.#owner.receives;
  }

  respond(head: ResponseHead): void {
    this.#log.changed();
    this.#log.responded(head);
    this.#client.respond(head);
  }

  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    const { response } = this.#pipes;
    if (response === null) return this.emit(wire, payload);
    this.held = !response.piece(wire, payload);
    return !this.held;
  }

  emit(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    const recorded = this.#log.body('response', payload);
    if (!recorded) this.#log.onDrain(() => this.drained());
    const open = this.#client.piece(wire, payload);
    this.held = !open || !recorded;
    return !this.held;
  }

  end(trailers: RawHeaders): void {
    const { response } = this.#pipes;
    if (response) response.end(trailers);
    else this.finish(trailers);
  }

  finish(trailers: RawHeaders): void {
    this.#log.bodyEnded('response', trailers);
    this.ended = true;
    this.#client.end(trailers);
    this.#owner.whenOut();
  }

  /** There may be room again: in the recorder or at the client. */
  drained(): void {
    if (!this.held) return;
    this.held = false;
    if (this.#pipes.drained()) this.#owner.upstream?.resume();
  }

  resumeUpstream(): void {
    // The pipe held upstream, which this flow doesn't know.
    this.held = true;
    this.drained();
  }

  abandonUpstream(): void {
    this.#owner.upstream?.cancel(0);
    this.#owner.upstream = null;
  }

  flush(): void {
    this.#client.flush();
    this.#owner.whenOut();
  }

  failByRule(about: Failure, reset: Reset): void {
    this.#owner.failByRule(about, reset);
  }

  guarded(work: () => unknown): void {
    this.#owner.guarded(work);
  }
}

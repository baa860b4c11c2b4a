import type { Failure } from '../../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { Reset } from '../../http/client-stream.ts';
import type { ResponseHead } from '../../http/message.ts';
import type { Lane } from '../../rules/throttle/lane.ts';
import type { ExchangeClock } from '../exchange-clock.ts';
import type { ResponsePipeOwner } from '../response-pipe.ts';
import { PacedQueue } from './paced-queue.ts';
import { sizeOf, slices } from './slices.ts';

export interface PacedResponseOwner extends ResponsePipeOwner {
  /** Writes what was collected. */
  flush(): void;
}

/** Sends one response over a slow link: between the pipe of its rules, or upstream, and the client. */
export class PacedResponse implements ResponsePipeOwner {
  /** For the exchange: the response is not held as a whole. */
  readonly isPassing = true;
  readonly #lane: Lane;
  readonly #owner: PacedResponseOwner;
  readonly #queue: PacedQueue;

  constructor(lane: Lane, clock: ExchangeClock, owner: PacedResponseOwner) {
    this.#lane = lane;
    this.#owner = owner;
    this.#queue = new PacedQueue({
      waited: (from, to) => clock.held(from, to),
      roomy: () => owner.resumeUpstream(),
    });
  }

  get receives(): boolean {
    return this.#owner.receives;
  }

  respond(head: ResponseHead): void {
    this.#add(
      head.size,
      (readyAt) => this.#lane.responseHead(head.size, readyAt),
      () => this.#owner.respond(head),
    );
  }

  piece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    return this.emit(wire, payload);
  }

  emit(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    const { link } = this.#lane;
    for (const part of slices(wire, payload, link.stepBytes('down'))) {
      const bytes = part.wire?.length ?? sizeOf(part.payload);
      this.#add(
        bytes,
        (readyAt) => this.#lane.body('down', bytes, readyAt),
        () => this.#owner.emit(part.wire, part.payload),
      );
    }
    return this.#queue.hasRoom;
  }

  end(trailers: RawHeaders): void {
    this.finish(trailers);
  }

  finish(trailers: RawHeaders): void {
    this.#add(
      0,
      (readyAt) => readyAt,
      () => this.#owner.finish(trailers),
    );
  }

  failByRule(about: Failure, reset: Reset): void {
    this.#add(
      0,
      (readyAt) => readyAt,
      () => this.#owner.failByRule(about, reset),
    );
  }

  resumeUpstream(): void {
    if (this.#queue.hasRoom) this.#owner.resumeUpstream();
  }

  abandonUpstream(): void {
    this.#owner.abandonUpstream();
  }

  guarded(work: () => unknown): void {
    this.#owner.guarded(work);
  }

  /** The client accepts more. Returns whether upstream may continue. */
  drained(): boolean {
    this.#queue.drained();
    return this.#queue.hasRoom;
  }

  #add(bytes: number, crosses: (readyAt: number) => number, pass: () => unknown): void {
    this.#queue.add(bytes, crosses, () => {
      if (!this.#owner.receives) {
        this.#queue.clear();
        return true;
      }
      let open = true;
      this.#owner.guarded(() => {
        open = pass() !== false;
        this.#owner.flush();
      });
      return open;
    });
  }
}

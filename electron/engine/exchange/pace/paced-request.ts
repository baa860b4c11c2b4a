import type { Failure } from '../../../../shared/model/failure.ts';
import type { RawHeaders } from '../../../../shared/model/headers.ts';
import type { ClientStream, RequestHandlers } from '../../http/client-stream.ts';
import type { Lane } from '../../rules/throttle/lane.ts';
import type { ExchangeClock } from '../exchange-clock.ts';
import { PacedQueue } from './paced-queue.ts';
import { sizeOf, slices } from './slices.ts';

/** Receives one request's body over a slow link. Sits between the client's stream and the exchange. */
export class PacedRequest implements RequestHandlers {
  readonly #lane: Lane;
  readonly #client: ClientStream;
  readonly #queue: PacedQueue;
  #handlers: RequestHandlers | null = null;

  /** `headAt`: when the head has crossed the link. */
  constructor(lane: Lane, client: ClientStream, clock: ExchangeClock, headAt: number) {
    this.#lane = lane;
    this.#client = client;
    const events = {
      waited: (from: number, to: number) => clock.heldBody(from, to),
      roomy: () => client.resumeBody(),
    };
    this.#queue = new PacedQueue(events, headAt);
  }

  receive(handlers: RequestHandlers): void {
    this.#handlers = handlers;
    this.#client.receive(this);
  }

  /** The exchange accepts more. */
  resumeBody(): void {
    this.#queue.drained();
    if (this.#queue.hasRoom) this.#client.resumeBody();
  }

  requestPiece(wire: Buffer | null, payload: readonly Buffer[]): boolean {
    for (const part of slices(wire, payload, this.#lane.link.stepBytes('up'))) {
      const bytes = part.wire?.length ?? sizeOf(part.payload);
      this.#queue.add(
        bytes,
        (readyAt) => this.#lane.body('up', bytes, readyAt),
        () => this.#passed(this.#handlers?.requestPiece(part.wire, part.payload)),
      );
    }
    return this.#queue.hasRoom;
  }

  #passed(open: boolean | undefined): boolean {
    this.#handlers?.requestFlush();
    return open ?? true;
  }

  requestEnd(trailers: RawHeaders): void {
    this.#then(() => this.#handlers?.requestEnd(trailers));
  }

  requestFlush(): void {
    if (this.#queue.isEmpty) this.#handlers?.requestFlush();
  }

  clientAborted(failure: Failure, resetCode: number): void {
    this.#queue.clear();
    this.#handlers?.clientAborted(failure, resetCode);
  }

  clientHalfClosed(): void {
    this.#then(() => this.#handlers?.clientHalfClosed());
  }

  clientDrained(): void {
    this.#handlers?.clientDrained();
  }

  /** After everything that waits; at once if nothing does. */
  #then(work: () => void): void {
    if (this.#queue.isEmpty) {
      work();
      return;
    }
    this.#queue.add(
      0,
      (readyAt) => readyAt,
      () => {
        work();
        return this.#passed(true);
      },
    );
  }
}

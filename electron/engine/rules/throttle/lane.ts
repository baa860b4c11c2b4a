import { seeded } from '../seeded.ts';
import { type Direction, type Link, PACKET_BYTES } from './link.ts';

/** Keeps the random numbers of exchanges apart. */
const EXCHANGE_STRIDE = 1_000_003;

/** One exchange's, or one tunnel's, use of a link. Times are those of `performance.now()`. */
export class Lane {
  readonly link: Link;
  readonly #connection: object;
  readonly #isFirst: boolean;
  readonly #seed: number;
  #drawn = 0;
  /** Bytes of the packet that is being filled. */
  readonly #partial = { up: 0, down: 0 };

  /** `connection`: the client's. Its handshakes count for its first exchange. */
  constructor(link: Link, connection: object) {
    this.link = link;
    this.#connection = connection;
    this.#isFirst = link.isNew(connection);
    this.#seed = link.figures.seed + Math.imul(link.nextExchange(), EXCHANGE_STRIDE);
  }

  #random(): number {
    this.#drawn += 1;
    return seeded(this.#seed, this.#drawn);
  }

  /** Half a round trip, with jitter. Milliseconds. */
  #halfTrip(): number {
    const { rttMs, jitterMs } = this.link.figures;
    const jitter = jitterMs === 0 ? 0 : (this.#random() * 2 - 1) * jitterMs;
    return Math.max(rttMs + jitter, 0) / 2;
  }

  /**
   * When a request's head has crossed the link. A new connection first needs a round trip for TCP's handshake, and
   * another for that of TLS 1.3.
   */
  requestHead(bytes: number, isTls: boolean, readyAt: number): number {
    const { rttMs } = this.link.figures;
    const handshakes = this.#isFirst ? (isTls ? 2 : 1) * rttMs : 0;
    return this.#cross('up', bytes, readyAt) + handshakes + this.#halfTrip();
  }

  /** When a response's head has crossed the link. */
  responseHead(bytes: number, readyAt: number): number {
    return this.#cross('down', bytes, readyAt) + this.#halfTrip();
  }

  /** When bytes that follow others have crossed the link. */
  body(direction: Direction, bytes: number, readyAt: number): number {
    return this.#cross(direction, bytes, readyAt);
  }

  /** When bytes have crossed a link that was silent before. */
  message(direction: Direction, bytes: number, readyAt: number): number {
    return this.#cross(direction, bytes, readyAt) + this.#halfTrip();
  }

  #cross(direction: Direction, bytes: number, readyAt: number): number {
    const passedAt = this.link.take(direction, bytes, readyAt);
    const stalledUntil = this.link.stalledUntil(this.#connection);
    return Math.max(passedAt, stalledUntil, this.#lost(direction, bytes, passedAt));
  }

  /** When the lost packets among these bytes have been resent; 0: none was lost. */
  #lost(direction: Direction, bytes: number, passedAt: number): number {
    const { lossPercent } = this.link.figures;
    if (lossPercent === 0) return 0;
    const filled = this.#partial[direction] + bytes;
    this.#partial[direction] = filled % PACKET_BYTES;
    let isLost = false;
    for (let packets = Math.floor(filled / PACKET_BYTES); packets > 0; packets -= 1) {
      if (this.#random() * 100 < lossPercent) isLost = true;
    }
    return isLost ? this.link.lose(this.#connection, passedAt) : 0;
  }
}

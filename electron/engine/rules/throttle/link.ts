import type { NetworkFigures } from '../../../../shared/model/rule/throttle.ts';

export type Direction = 'up' | 'down';

/** Bytes that a packet carries: an Ethernet frame less the headers of IPv4 and TCP. */
export const PACKET_BYTES = 1460;

/** The shortest time after which a sender repeats a lost packet: Linux's TCP_RTO_MIN. Milliseconds. */
const LEAST_RETRANSMISSION = 200;

/** How much passes at once, in milliseconds of the link's speed: smaller steps would need more timers. */
const STEP = 20;

/**
 * A slow network between the clients and the proxy. All exchanges that it carries share its two directions, as the
 * connections of one device do: bytes pass in sequence at the link's speed.
 */
export class Link {
  readonly figures: NetworkFigures;
  /** Until when each direction is taken, by `performance.now()`. */
  readonly #taken = { up: 0, down: 0 };
  /** Until when a client connection waits for a lost packet: TCP delivers in order. */
  readonly #stalled = new WeakMap<object, number>();
  readonly #connections = new WeakSet<object>();
  #exchanges = 0;

  constructor(figures: NetworkFigures) {
    this.figures = figures;
  }

  /** The number of an exchange, from 1: with the seed it decides that exchange's jitter and losses. */
  nextExchange(): number {
    this.#exchanges += 1;
    return this.#exchanges;
  }

  /** Returns true the first time that a connection is seen. */
  isNew(connection: object): boolean {
    if (this.#connections.has(connection)) return false;
    this.#connections.add(connection);
    return true;
  }

  /**
   * Takes the direction for so many bytes, from `readyAt` at the earliest. Returns when the last of them has passed.
   */
  take(direction: Direction, bytes: number, readyAt: number): number {
    const kbps = direction === 'up' ? this.figures.upKbps : this.figures.downKbps;
    const passedAt = Math.max(this.#taken[direction], readyAt) + (bytes * 8) / kbps;
    this.#taken[direction] = passedAt;
    return passedAt;
  }

  /** A packet of the connection was lost at `at`: everything after it waits. Returns when it has been resent. */
  lose(connection: object, at: number): number {
    const again = at + Math.max(this.figures.rttMs, LEAST_RETRANSMISSION);
    this.#stalled.set(connection, Math.max(this.#stalled.get(connection) ?? 0, again));
    return again;
  }

  /** Until when the connection waits for a lost packet; 0: it does not. */
  stalledUntil(connection: object): number {
    return this.#stalled.get(connection) ?? 0;
  }

  /** The largest number of bytes that should pass at once. */
  stepBytes(direction: Direction): number {
    const kbps = direction === 'up' ? this.figures.upKbps : this.figures.downKbps;
    return Math.max(PACKET_BYTES, Math.floor((kbps * STEP) / 8));
  }
}

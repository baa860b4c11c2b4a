import { SlotTable } from '../slot-table.ts';
import type { Http2Stream } from './stream.ts';

/**
 * Number of streams we reset whose ids are remembered: frames sent before the peer saw the reset are not a violation.
 */
const REMEMBERED = 10_000;
/** Number of ended streams remembered to tell their ids from ids that were never opened. A power of two. */
const RECENT = 64;

/** Tracks the open streams of a connection and the state of the others (RFC 9113, section 5.1). */
export class StreamTable {
  readonly #server: boolean;
  readonly #open = new SlotTable<Http2Stream>();
  readonly #reset = new Set<number>();
  readonly #recent = new Uint32Array(RECENT);
  #ended = 0;
  #nextOwn = 1;
  /** The highest stream id that the peer has opened. */
  lastOfPeer = 0;

  /** `server`: true if the peer opens streams, false if we do. */
  constructor(server: boolean) {
    this.#server = server;
  }

  get size(): number {
    return this.#open.size;
  }

  get(id: number): Http2Stream | undefined {
    return this.#open.get(id);
  }

  /** A new array: streams may end during iteration. */
  all(): Http2Stream[] {
    return this.#open.all();
  }

  add(stream: Http2Stream): void {
    this.#open.set(stream);
  }

  /** The id of the next stream opened by us as a client. */
  nextId(): number {
    const id = this.#nextOwn;
    this.#nextOwn += 2;
    return id;
  }

  /** Whether stream ids are left (RFC 9113, section 5.1.1). */
  get hasIds(): boolean {
    return this.#nextOwn < 0x7fff_ffff;
  }

  end(id: number): void {
    if (!this.#open.delete(id)) return;
    this.#recent[this.#ended % RECENT] = id;
    this.#ended += 1;
  }

  /** Records a stream that we reset while the peer could still send. */
  rememberReset(id: number): void {
    this.#reset.add(id);
    if (this.#reset.size <= REMEMBERED) return;
    for (const oldest of this.#reset) {
      this.#reset.delete(oldest);
      return;
    }
  }

  wasReset(id: number): boolean {
    return this.#reset.has(id);
  }

  /** Whether the stream was open recently. */
  endedLately(id: number): boolean {
    return this.#recent.includes(id);
  }

  /** Whether the stream was never opened. */
  isIdle(id: number): boolean {
    if (id % 2 === 0) return true;
    return this.#server ? id > this.lastOfPeer : id >= this.#nextOwn;
  }
}

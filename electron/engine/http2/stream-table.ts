import { SlotTable } from '../slot-table.ts';
import type { Http2Stream } from './stream.ts';

/** Streams that we reset whose ids are remembered: what their peer sent before it knew is no fault of its. */
const REMEMBERED = 10_000;
/** Streams that ended of which an id is told from one that never was. A power of two. */
const RECENT = 64;

/** Streams of a connection that are open, and what became of the others (RFC 9113, section 5.1). */
export class StreamTable {
  readonly #server: boolean;
  readonly #open = new SlotTable<Http2Stream>();
  readonly #reset = new Set<number>();
  readonly #recent = new Uint32Array(RECENT);
  #ended = 0;
  #nextOwn = 1;
  /** The highest that the peer has opened. */
  lastOfPeer = 0;

  /** `server`: the peer opens streams, and we none; else the other way round. */
  constructor(server: boolean) {
    this.#server = server;
  }

  get size(): number {
    return this.#open.size;
  }

  get(id: number): Http2Stream | undefined {
    return this.#open.get(id);
  }

  /** A list of its own: streams may end while it is gone through. */
  all(): Http2Stream[] {
    return this.#open.all();
  }

  add(stream: Http2Stream): void {
    this.#open.set(stream);
  }

  /** The id of the next stream that a client opens. */
  nextId(): number {
    const id = this.#nextOwn;
    this.#nextOwn += 2;
    return id;
  }

  /** RFC 9113, section 5.1.1: a connection whose ids are used up takes no more. */
  get hasIds(): boolean {
    return this.#nextOwn < 0x7fff_ffff;
  }

  end(id: number): void {
    if (!this.#open.delete(id)) return;
    this.#recent[this.#ended % RECENT] = id;
    this.#ended += 1;
  }

  /** We reset it while the peer could still send. */
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

  /** It was open a short while ago. */
  endedLately(id: number): boolean {
    return this.#recent.includes(id);
  }

  /** Nobody has opened it. */
  isIdle(id: number): boolean {
    if (id % 2 === 0) return true;
    return this.#server ? id > this.lastOfPeer : id >= this.#nextOwn;
  }
}

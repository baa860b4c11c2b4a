import type { MessageMark } from '../../../shared/model/message-mark.ts';
import { MESSAGE_COLUMNS, writeMessage } from '../../session/format/message-cells.ts';

const COLUMNS = MESSAGE_COLUMNS.length;
/** Messages per batch. Writing them takes the writer some 10 ms, and rows of exchanges do not wait longer than that. */
const BLOCK = 4096;
/** Waiting messages that make a stream wait, however few other streams have. */
const MANY = 2 * BLOCK;
/** Waiting messages of all streams above which a stream waits that has more than `FEW` of them. */
const CROWDED = 16 * BLOCK;
const FEW = 256;
/** Messages that may wait: 32 MiB. Further ones are in their body but in no list. */
const LIMIT = 100 * BLOCK;

/**
 * The rows of WebSocket messages and server-sent events on their way to the writer. A stream of tiny messages produces
 * more of them than the writer can handle: 1.5 million in the time of 4 MB. The queue decides which streams have to
 * wait because they fill it; a stream with few messages does not wait for others.
 */
export class MessageQueue {
  readonly #limit: number;
  /** Full blocks, oldest first. */
  #blocks: Float64Array[] = [];
  #current: Float64Array | null = null;
  /** Cells in `#current`. */
  #used = 0;
  /** Waiting messages by exchange. */
  readonly #waiting = new Map<number, number>();
  /** Lost messages by exchange. */
  readonly #lost = new Map<number, number>();
  #unreported = 0;

  /** `limit`: messages that may wait. */
  constructor(limit = LIMIT) {
    this.#limit = limit;
  }

  /** Messages that wait. */
  get size(): number {
    return this.#blocks.length * BLOCK + this.#used / COLUMNS;
  }

  /** A whole batch of them waits. */
  get hasBlock(): boolean {
    return this.#blocks.length > 0;
  }

  /** Adds a message, or counts it as lost if the queue is full. */
  add(exchange: number, mark: MessageMark): void {
    if (this.size >= this.#limit) {
      this.#lost.set(exchange, this.lostOf(exchange) + 1);
      this.#unreported += 1;
      return;
    }
    this.#current ??= new Float64Array(BLOCK * COLUMNS);
    writeMessage(this.#current, this.#used, exchange, mark);
    this.#used += COLUMNS;
    this.#waiting.set(exchange, this.#waitingOf(exchange) + 1);
    if (this.#used < this.#current.length) return;
    this.#blocks.push(this.#current);
    this.#current = null;
    this.#used = 0;
  }

  /** The exchange fills the queue: its stream should pause until messages have left. */
  isFilledBy(exchange: number): boolean {
    const waiting = this.#waitingOf(exchange);
    return waiting > MANY || (waiting > FEW && this.size > CROWDED);
  }

  /** The oldest rows, at most a block, for a batch. */
  take(): Float64Array {
    const rows = this.#blocks.shift() ?? this.#takeCurrent();
    for (let at = 0; at < rows.length; at += COLUMNS) this.#left(rows[at] ?? 0);
    return rows;
  }

  /** Copies the used part: the block is used again, and a clone of a view would clone the entire block. */
  #takeCurrent(): Float64Array {
    const rows = this.#current?.slice(0, this.#used) ?? new Float64Array(0);
    this.#used = 0;
    return rows;
  }

  #left(exchange: number): void {
    const waiting = this.#waitingOf(exchange) - 1;
    if (waiting > 0) this.#waiting.set(exchange, waiting);
    else this.#waiting.delete(exchange);
  }

  #waitingOf(exchange: number): number {
    return this.#waiting.get(exchange) ?? 0;
  }

  /** Messages of the exchange that are in no list. */
  lostOf(exchange: number): number {
    return this.#lost.get(exchange) ?? 0;
  }

  /** The exchange ended. */
  forget(exchange: number): void {
    this.#lost.delete(exchange);
  }

  /** Messages lost since the last call. */
  takeLost(): number {
    const lost = this.#unreported;
    this.#unreported = 0;
    return lost;
  }

  /** Drops everything that was not taken. */
  discard(): void {
    this.#blocks = [];
    this.#used = 0;
    this.#waiting.clear();
    this.#lost.clear();
    this.#unreported = 0;
  }
}

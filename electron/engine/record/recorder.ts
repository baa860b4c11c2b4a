import { randomUUID } from 'node:crypto';
import type { RecordedSide } from '../../../shared/model/body-side.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { summaryRow } from '../../../shared/model/exchange-summary.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { failure } from '../../failures/errors.ts';
import { sideCell } from '../../session/format/body-cell.ts';
import { BodySlabs } from '../../session/format/body-slabs.ts';
import type { ExchangeObserver } from '../engine-event.ts';
import { SlotTable } from '../slot-table.ts';
import { KnownConnections } from './known-connections.ts';
import { MessageQueue } from './message-queue.ts';
import { Rows } from './rows.ts';
import type { SessionWriterPort } from './session-writer-port.ts';
import { Tally } from './tally.ts';
import { YoungBuffers } from './young-buffers.ts';

/** Milliseconds. A crash loses at most this much, plus the batches that the writer has not finished. */
const BATCH_INTERVAL = 100;
/** Rows of open exchanges built at a time. This takes about 0.5 ms; building a large batch would delay traffic. */
const CHANGED_ROWS = 128;
/** Rows that send a batch early. Not fewer: a transaction writes whole pages, including partly filled ones. */
const BATCH_ROWS = 512;
/** Filled slabs (1 MiB) that send a batch early. */
const BATCH_SLABS = 4;
/**
 * Characters of rows that may wait while nothing can be written: about 60,000 exchanges. Others are lost and counted.
 */
const ROW_LIMIT = 128 * 1024 * 1024;
/**
 * Body bytes that may wait for the disk. With the sockets' buffers, the engine stays within 64 MB of its idle memory.
 */
const BODY_LIMIT = 20 * 1024 * 1024;

export interface RecorderOptions {
  writer: SessionWriterPort;
  recording: boolean;
  slowDisk: Settings['slowDisk'];
  /** Counts the exchanges written and lost, for the host. */
  tally?: Tally;
  /** Bytes; default 20 MiB. */
  bodyLimit?: number;
  /** Characters; default 128 Mi. */
  rowLimit?: number;
  /** WebSocket messages and server-sent events that may wait; default 409,600. */
  messageLimit?: number;
}

/**
 * Collects the engine's calls into batches for the session file. This is on the hot path: a call only marks an exchange
 * as changed or copies body bytes. Rows are built once per batch; a short exchange gets one row, when it ends. It is
 * not delayed until the batch, because an exchange is twenty objects or more and the garbage collector copies those
 * that wait.
 *
 * Rows wait in memory while nothing can be written, and are dropped only when that memory is full. If the disk can't
 * keep up, the rest of a body is dropped and its beginning is kept (`stored` bytes of `size`). With `slowDisk: 'wait'`
 * the traffic waits instead. A stream of tiny messages waits for a working disk in either case, because its list would
 * have gaps.
 */
export class Recorder implements ExchangeObserver {
  recording: boolean;
  /** Called for each change, with the live exchange, which the engine keeps changing. The feed listens here. */
  onTouched: (exchange: Exchange) => void = () => {};
  /** Called for the last change, with the exchange's list row: JSON of a `SummaryRow`. */
  onEnded: (exchange: Exchange, row: string) => void = () => {};
  /** The memory for rows is full, and further exchanges are lost. Called once until rows can be written again. */
  onLosing: () => void = () => {};
  /** WebSocket messages or server-sent events are in no list: `session.messages-lost`, called when it is over. */
  onMessagesLost: (failure: Failure) => void = () => {};
  /** The session file rejected rows, which are lost. */
  onRefused: (failure: Failure) => void = () => {};
  readonly #writer: SessionWriterPort;
  readonly #tally: Tally;
  readonly #slabs: BodySlabs;
  readonly #youngBuffers = new YoungBuffers();
  readonly #connections = new KnownConnections();
  /** Open exchanges that changed since they were last written. */
  readonly #changed = new SlotTable<Exchange>();
  #rows = new Rows(this.#connections);
  /** Batches of rows that the writer could not accept yet. */
  #waiting: Rows[] = [];
  /** Characters in `#waiting`. */
  #waitingSize = 0;
  readonly #rowLimit: number;
  #losing = false;
  readonly #messages: MessageQueue;
  /** Bodies, by `cutCell`, that lost bytes. None of their further bytes are kept. */
  readonly #cut = new Set<number>();
  /** Called once the exchange need not wait any more. */
  #resumes: { exchange: number; resume: () => void }[] = [];
  #slowDisk: Settings['slowDisk'];
  #sessionId: string;
  #nextExchange: number;
  #nextConnection: number;
  /**
   * Exchanges with lower ids belong to a cleared session. Recording their calls would bring them back as broken rows.
   */
  #firstExchange: number;
  #bytesNotKept = 0;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** The batch interval has elapsed. */
  #due = false;

  constructor({
    writer,
    recording,
    slowDisk,
    tally = new Tally(),
    bodyLimit = BODY_LIMIT,
    rowLimit = ROW_LIMIT,
    messageLimit,
  }: RecorderOptions) {
    this.#rowLimit = rowLimit;
    this.#writer = writer;
    this.recording = recording;
    this.#slowDisk = slowDisk;
    this.#slabs = new BodySlabs(bodyLimit);
    this.#messages = new MessageQueue(messageLimit);
    this.#sessionId = writer.session.sessionId;
    this.#nextExchange = writer.session.nextExchangeId;
    this.#nextConnection = writer.session.nextConnectionId;
    this.#firstExchange = this.#nextExchange;
    this.#tally = tally;
    writer.onWritten = (exchanges) => tally.settled(exchanges);
    writer.onRefused = (exchanges, failure) => {
      tally.dropped(exchanges);
      this.onRefused(failure);
    };
    writer.onDamaged = (exchanges) => tally.damaged(exchanges);
    writer.onDone = (slabs) => this.#onDone(slabs);
  }

  get sessionId(): string {
    return this.#sessionId;
  }

  /** The id of a session that never had an exchange, as long as its file can be written; else null. */
  get emptySession(): string | null {
    return this.#nextExchange === 1 && this.#writer.trouble === null ? this.#sessionId : null;
  }

  /** Body bytes not kept because the disk could not keep up, since the session began. */
  get bytesNotKept(): number {
    return this.#bytesNotKept;
  }

  set slowDisk(slowDisk: Settings['slowDisk']) {
    this.#slowDisk = slowDisk;
    this.#resumeIfDrained();
  }

  nextExchangeId(): number {
    return this.#nextExchange++;
  }

  nextConnectionId(): number {
    return this.#nextConnection++;
  }

  /** One that no exchange of this session used has no row, and gets none. */
  connectionEnded(side: 'client' | 'upstream', connection: ConnectionInfo): void {
    this.#connections.ended(connection);
    if (!this.#connections.has(connection.id)) return;
    this.#rows.pushConnection(side, connection);
    this.#schedule();
  }

  changed(exchange: Exchange): void {
    if (exchange.id < this.#firstExchange) return;
    this.#changed.set(exchange);
    this.#schedule();
    this.onTouched(exchange);
  }

  ended(exchange: Exchange): void {
    this.#forgetCuts(exchange.id);
    if (exchange.id < this.#firstExchange) return;
    this.#noteLostMessages(exchange);
    this.#changed.delete(exchange.id);
    const row = JSON.stringify(summaryRow(exchange));
    this.#tally.ended();
    if (this.#waitingSize < this.#rowLimit) this.#keep(exchange, row);
    else this.#drop();
    this.onEnded(exchange, row);
  }

  #keep(exchange: Exchange, row: string): void {
    this.#rows.pushExchange(exchange, row);
    this.#rows.ended += 1;
    this.#schedule();
    if (this.#rows.count < BATCH_ROWS) return;
    this.#waiting.push(this.#rows);
    this.#waitingSize += this.#rows.size;
    this.#rows = new Rows(this.#connections);
    this.#sendIfReady();
  }

  #drop(): void {
    this.#tally.dropped(1);
    if (!this.#losing) this.onLosing();
    this.#losing = true;
  }

  bodyPiece(exchange: Exchange, side: RecordedSide, piece: Uint8Array): boolean {
    const body = exchange[side]?.body;
    if (exchange.id < this.#firstExchange || body === undefined) return true;
    const waits = this.#slowDisk === 'wait' && !this.#writer.detached;
    const kept = this.#isCut(exchange.id, side)
      ? 0
      : this.#slabs.append(exchange.id, sideCell(side), body.stored, piece, !waits);
    body.stored += kept;
    if (kept < piece.length) this.#cutShort(exchange.id, side, piece.length - kept);
    if (this.#slabs.filled >= BATCH_SLABS) this.#sendIfReady();
    else this.#schedule();
    this.#youngBuffers.passed(piece.length);
    return !this.#mustWait(exchange.id);
  }

  message(exchange: Exchange, mark: MessageMark): void {
    if (exchange.id < this.#firstExchange) return;
    this.#messages.add(exchange.id, mark);
    if (this.#messages.hasBlock) this.#sendIfReady();
    else this.#schedule();
  }

  onDrain({ id }: Exchange, resume: () => void): void {
    this.#resumes.push({ exchange: id, resume });
    if (!this.#mustWait(id)) queueMicrotask(() => this.#resumeIfDrained());
  }

  /** Resolves when everything so far is in the session file, or when nothing can be written at present. */
  flush(): Promise<void> {
    if (this.#writer.trouble !== null) return Promise.resolve();
    this.#sendEverything();
    return this.#writer.settled();
  }

  #sendEverything(): void {
    for (let rows = this.#nextWaiting(); rows; rows = this.#nextWaiting()) this.#send(rows);
    while (this.#hasWork) this.#sendAll();
  }

  /**
   * Empties the session. `sessionId` changes immediately; resolves when the file is empty. Open exchanges continue
   * unrecorded.
   */
  clear(): Promise<void> {
    this.#sessionId = randomUUID();
    this.#firstExchange = this.#nextExchange;
    this.#changed.clear();
    for (const rows of [...this.#waiting, this.#rows]) this.#tally.settled(rows.ended);
    this.#rows = new Rows(this.#connections);
    this.#waiting = [];
    this.#waitingSize = 0;
    this.#messages.discard();
    this.#cut.clear();
    this.#slabs.discard();
    this.#connections.clear();
    this.#bytesNotKept = 0;
    this.#resumeIfDrained();
    return this.#writer.clear(this.#sessionId);
  }

  /**
   * Writes the remaining rows and closes the file. If the writer is in trouble, this waits a moment for it to recover,
   * then gives up with rows in memory, which the tally still counts as waiting. What arrives later, such as the ends of
   * connections, is not written: the writer would report the file that it closed itself as trouble.
   */
  async close(): Promise<void> {
    await this.#writer.untroubled();
    // In trouble too: the successor of a writer that died gets what was sent meanwhile, and nothing else.
    do {
      this.#sendEverything();
      await this.#writer.settled();
    } while (this.#hasWork && this.#writer.trouble === null);
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#writer.close();
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#due = true;
      this.#sendIfReady();
    }, BATCH_INTERVAL);
  }

  get #hasWork(): boolean {
    const rows = this.#waiting.length > 0 || !this.#rows.isEmpty || this.#changed.size > 0;
    return rows || this.#messages.size > 0 || this.#slabs.filled > 0;
  }

  /** While the writer is behind, changes stay here, where several changes of one exchange become one row. */
  #sendIfReady(): void {
    if (!this.#writer.ready || this.#closed) return;
    const rows = this.#nextWaiting();
    if (rows) this.#send(rows);
    else if (this.#due || this.#messages.hasBlock || this.#slabs.filled >= BATCH_SLABS) this.#sendAll();
  }

  #nextWaiting(): Rows | undefined {
    const rows = this.#waiting.shift();
    this.#waitingSize -= rows?.size ?? 0;
    if (rows) this.#losing = false;
    return rows;
  }

  /** Sends all pending work, but at most `CHANGED_ROWS` rows of open exchanges and a block of messages. */
  #sendAll(): void {
    const rows = this.#rows;
    this.#rows = new Rows(this.#connections);
    this.#pushChanged(rows);
    this.#due = this.#changed.size > 0;
    if (!rows.isEmpty || this.#messages.size > 0 || this.#slabs.filled > 0) this.#send(rows);
  }

  /** Sends one batch. A body's bytes are sent before or with the row that counts them. */
  #send(rows: Rows): void {
    const messages = this.#messages.take();
    this.#writer.send({ kind: 'batch', ...rows.cells, messages, ...this.#slabs.take() }, rows.ended);
    if (this.#messages.size === 0) this.#reportLostMessages();
  }

  #reportLostMessages(): void {
    const count = this.#messages.takeLost();
    if (count > 0) this.onMessagesLost(failure('session.messages-lost', { count }));
  }

  /** The row of an exchange whose list has gaps shows this, unless it failed for another reason. */
  #noteLostMessages(exchange: Exchange): void {
    const count = this.#messages.lostOf(exchange.id);
    if (count === 0) return;
    exchange.failure ??= failure('session.messages-lost', { count });
    this.#messages.forget(exchange.id);
  }

  #pushChanged(rows: Rows): void {
    for (const exchange of this.#changed.take(CHANGED_ROWS)) {
      rows.pushExchange(exchange, JSON.stringify(summaryRow(exchange)));
    }
  }

  #onDone(slabs: SharedArrayBuffer[]): void {
    this.#slabs.giveBack(slabs);
    this.#resumeIfDrained();
    this.#sendIfReady();
  }

  /**
   * Only the streams that fill the queue of messages wait for it, and not while nothing can be written: traffic
   * continues then.
   */
  #mustWait(exchange: number): boolean {
    if (this.#writer.detached) return false;
    if (this.#slowDisk === 'wait' && this.#slabs.isOverLimit) return true;
    const isWorking = this.#slowDisk === 'wait' || this.#writer.trouble === null;
    return isWorking && this.#messages.isFilledBy(exchange);
  }

  #resumeIfDrained(): void {
    if (this.#resumes.length === 0) return;
    const waiting = this.#resumes;
    this.#resumes = [];
    for (const entry of waiting) {
      if (this.#mustWait(entry.exchange)) this.#resumes.push(entry);
      else entry.resume();
    }
  }

  #isCut(exchange: number, side: RecordedSide): boolean {
    return this.#cut.size > 0 && this.#cut.has(cutCell(exchange, side));
  }

  #cutShort(exchange: number, side: RecordedSide, bytes: number): void {
    this.#cut.add(cutCell(exchange, side));
    this.#bytesNotKept += bytes;
  }

  #forgetCuts(exchange: number): void {
    if (this.#cut.size === 0) return;
    for (const side of ['request', 'response', 'sent', 'received'] as const) this.#cut.delete(cutCell(exchange, side));
  }
}

/** A number for each body of each exchange. */
function cutCell(exchange: number, side: RecordedSide): number {
  return exchange * 4 + sideCell(side);
}

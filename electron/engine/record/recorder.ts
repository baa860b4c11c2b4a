import { randomUUID } from 'node:crypto';
import type { BodySide } from '../../../shared/model/body-side.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { summaryRow } from '../../../shared/model/exchange-summary.ts';
import type { Failure } from '../../../shared/model/failure.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { bodyCell } from '../../session/format/body-cell.ts';
import { pushConnection, pushExchange } from '../../session/format/exchange-cells.ts';
import { MESSAGE_COLUMNS, pushMessage } from '../../session/format/message-cells.ts';
import type { Cell, RowCells } from '../../session/format/writer-protocol.ts';
import type { ExchangeObserver } from '../engine-event.ts';
import { SlotTable } from '../slot-table.ts';
import { BodySlabs } from './body-slabs.ts';
import { KnownConnections } from './known-connections.ts';
import type { SessionWriterPort } from './session-writer-port.ts';
import { Tally } from './tally.ts';

/** A crash loses at most this, and what the writer has in hand; milliseconds. */
const BATCH_INTERVAL = 100;
/** Rows of open exchanges that are made in one go: some 0.5 ms, so that no traffic waits for a large batch to be made. */
const CHANGED_ROWS = 128;
/** Rows that make a batch before its time: a transaction writes pages whole, also those that it only began. */
const BATCH_ROWS = 512;
/** Filled slabs (1 MiB) that make a batch before its time. */
const BATCH_SLABS = 4;
/** Cells of messages that may wait for the writer: 100,000 messages. Those beyond are in their body, and in no list. */
const MESSAGE_CELLS = 100_000 * MESSAGE_COLUMNS.length;
/** Characters of rows that may wait while nothing can be written: some 60,000 exchanges. Those beyond are lost, and counted. */
const ROW_LIMIT = 128 * 1024 * 1024;
/** Body bytes that may be on the way to the disk: with what sockets need, within 64 MB of an idle engine's memory. */
const BODY_LIMIT = 20 * 1024 * 1024;

export interface RecorderOptions {
  writer: SessionWriterPort;
  recording: boolean;
  slowDisk: Settings['slowDisk'];
  /** Counts what is written and lost, for the host. */
  tally?: Tally;
  /** Bytes; 20 MiB unless told. */
  bodyLimit?: number;
  /** Characters; 128 Mi unless told. */
  rowLimit?: number;
}

/**
 * Folds the engine's calls into batches for the session file. It stands on the hot path: a call notes that an exchange
 * changed or copies body bytes, and no more; rows are made once a batch, for a short exchange once, at its end. Then, and
 * not with its batch: an exchange is twenty objects and more, and those that wait are what the garbage collector copies.
 *
 * Rows wait in memory while nothing can be written, and are dropped only where that is full. Bodies are dropped from where the
 * disk could not keep up: a beginning of the body is kept (`stored` bytes of `size`). With `slowDisk: 'wait'` the traffic waits
 * instead.
 */
export class Recorder implements ExchangeObserver {
  recording: boolean;
  /** Called for each change, with the exchange that the engine goes on changing. The feed listens here. */
  onTouched: (exchange: Exchange) => void = () => {};
  /** Called for the last one, with what the list shows of it: JSON of a `SummaryRow`. */
  onEnded: (exchange: Exchange, row: string) => void = () => {};
  /** The memory for rows is full: exchanges are lost from now on. Called once until rows can be written again. */
  onLosing: () => void = () => {};
  /** Rows were not taken by the session file, and are lost. */
  onRefused: (failure: Failure) => void = () => {};
  readonly #writer: SessionWriterPort;
  readonly #tally: Tally;
  readonly #slabs: BodySlabs;
  readonly #connections = new KnownConnections();
  /** Changed since they were last written, and still open. */
  readonly #changed = new SlotTable<Exchange>();
  #rows = noRows();
  /** Batches of rows for which the writer had no time yet. */
  #waiting: Rows[] = [];
  /** Characters in them. */
  #waitingSize = 0;
  readonly #rowLimit: number;
  #losing = false;
  #messages: Cell[] = [];
  /** Bodies, by `bodyKey`, of which nothing more is kept because bytes of them were dropped. */
  readonly #cut = new Set<number>();
  #resumes: (() => void)[] = [];
  #slowDisk: Settings['slowDisk'];
  #sessionId: string;
  #nextExchange: number;
  #nextConnection: number;
  /** Exchanges below are of a session that was cleared: their calls are ignored, or they would come back as broken rows. */
  #firstExchange: number;
  #bytesNotKept = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The batch's time has come. */
  #due = false;

  constructor({
    writer,
    recording,
    slowDisk,
    tally = new Tally(),
    bodyLimit = BODY_LIMIT,
    rowLimit = ROW_LIMIT,
  }: RecorderOptions) {
    this.#rowLimit = rowLimit;
    this.#writer = writer;
    this.recording = recording;
    this.#slowDisk = slowDisk;
    this.#slabs = new BodySlabs(bodyLimit);
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
    writer.onDone = (slabs) => this.#onDone(slabs);
  }

  get sessionId(): string {
    return this.#sessionId;
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

  changed(exchange: Exchange): void {
    if (exchange.id < this.#firstExchange) return;
    this.#changed.set(exchange);
    this.#schedule();
    this.onTouched(exchange);
  }

  ended(exchange: Exchange): void {
    this.#forgetCuts(exchange.id);
    if (exchange.id < this.#firstExchange) return;
    this.#changed.delete(exchange.id);
    const row = JSON.stringify(summaryRow(exchange));
    this.#tally.ended();
    if (this.#waitingSize < this.#rowLimit) this.#keep(exchange, row);
    else this.#drop();
    this.onEnded(exchange, row);
  }

  #keep(exchange: Exchange, row: string): void {
    this.#pushRows(this.#rows, exchange, row);
    this.#rows.ended += 1;
    this.#schedule();
    if (this.#rows.count < BATCH_ROWS) return;
    this.#waiting.push(this.#rows);
    this.#waitingSize += this.#rows.size;
    this.#rows = noRows();
    this.#sendIfReady();
  }

  #drop(): void {
    this.#tally.dropped(1);
    if (!this.#losing) this.onLosing();
    this.#losing = true;
  }

  bodyPiece(exchange: Exchange, side: BodySide, piece: Uint8Array): boolean {
    const body = side === 'request' ? exchange.request.body : exchange.response?.body;
    if (exchange.id < this.#firstExchange || body === undefined) return true;
    const waits = this.#slowDisk === 'wait' && !this.#writer.detached;
    const kept = this.#isCut(exchange.id, side)
      ? 0
      : this.#slabs.append(exchange.id, side === 'request' ? 0 : 1, body.stored, piece, !waits);
    body.stored += kept;
    if (kept < piece.length) this.#cutShort(exchange.id, side, piece.length - kept);
    if (this.#slabs.filled >= BATCH_SLABS) this.#sendIfReady();
    else this.#schedule();
    return !(waits && this.#slabs.isOverLimit);
  }

  message(exchange: Exchange, mark: MessageMark): void {
    if (exchange.id < this.#firstExchange || this.#messages.length >= MESSAGE_CELLS) return;
    pushMessage(this.#messages, exchange.id, mark);
    this.#schedule();
  }

  onDrain(resume: () => void): void {
    this.#resumes.push(resume);
    if (!this.#mustWait()) queueMicrotask(() => this.#resumeIfDrained());
  }

  /** Resolves when everything that happened so far is in the session file, or when nothing can be written at present. */
  flush(): Promise<void> {
    if (this.#writer.trouble !== null) return Promise.resolve();
    for (let rows = this.#nextWaiting(); rows; rows = this.#nextWaiting()) this.#send(rows);
    while (this.#hasWork) this.#sendAll();
    return this.#writer.settled();
  }

  /**
   * Empties the session. The new session's id is `sessionId` at once; resolves when the file is empty. Exchanges under
   * way go on unrecorded.
   */
  clear(): Promise<void> {
    this.#sessionId = randomUUID();
    this.#firstExchange = this.#nextExchange;
    this.#changed.clear();
    for (const rows of [...this.#waiting, this.#rows]) this.#tally.settled(rows.ended);
    this.#rows = noRows();
    this.#waiting = [];
    this.#waitingSize = 0;
    this.#messages = [];
    this.#cut.clear();
    this.#slabs.discard();
    this.#connections.clear();
    this.#bytesNotKept = 0;
    this.#resumeIfDrained();
    return this.#writer.clear(this.#sessionId);
  }

  /**
   * Writes what is left and closes the file. No call may follow. Trouble with the writer gets a moment to be over; then it ends
   * with rows in memory, which the tally still counts as waiting.
   */
  async close(): Promise<void> {
    await this.#writer.untroubled();
    await this.flush();
    clearTimeout(this.#timer);
    await this.#writer.close();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#due = true;
      this.#sendIfReady();
    }, BATCH_INTERVAL);
  }

  get #hasWork(): boolean {
    const rows = this.#waiting.length > 0 || this.#rows.count > 0 || this.#changed.size > 0;
    return rows || this.#messages.length > 0 || this.#slabs.filled > 0;
  }

  /** While the writer is behind, what there is stays here: changes of one exchange fold into one row. */
  #sendIfReady(): void {
    if (!this.#writer.ready) return;
    const rows = this.#nextWaiting();
    if (rows) this.#send(rows);
    else if (this.#due || this.#slabs.filled >= BATCH_SLABS) this.#sendAll();
  }

  #nextWaiting(): Rows | undefined {
    const rows = this.#waiting.shift();
    this.#waitingSize -= rows?.size ?? 0;
    if (rows) this.#losing = false;
    return rows;
  }

  /** What there is, or as many rows of it as make a batch. */
  #sendAll(): void {
    const rows = this.#rows;
    this.#rows = noRows();
    this.#pushChanged(rows);
    this.#due = this.#changed.size > 0;
    if (rows.count > 0 || this.#messages.length > 0 || this.#slabs.filled > 0) this.#send(rows);
  }

  /** One batch. A body's bytes go before or with the row that counts them. */
  #send(rows: Rows): void {
    const messages = this.#messages;
    this.#messages = [];
    this.#writer.send({ kind: 'batch', ...rows.cells, messages, ...this.#slabs.take() }, rows.ended);
  }

  #pushChanged(rows: Rows): void {
    for (const exchange of this.#changed.take(CHANGED_ROWS)) {
      this.#pushRows(rows, exchange, JSON.stringify(summaryRow(exchange)));
    }
  }

  #pushRows(rows: Rows, exchange: Exchange, row: string): void {
    const { cells } = rows;
    rows.count += 1;
    this.#pushConnection(cells, 'client', exchange.client);
    this.#pushConnection(cells, 'upstream', exchange.upstream);
    for (const { connection } of exchange.attempts) {
      if (connection !== exchange.upstream) this.#pushConnection(cells, 'upstream', connection);
    }
    rows.size += pushExchange(cells, exchange, row);
  }

  #pushConnection(cells: RowCells, side: 'client' | 'upstream', connection: ConnectionInfo | null): void {
    if (connection && this.#connections.isNews(connection)) pushConnection(cells.connections, side, connection);
  }

  #onDone(slabs: SharedArrayBuffer[]): void {
    this.#slabs.giveBack(slabs);
    this.#resumeIfDrained();
    this.#sendIfReady();
  }

  #mustWait(): boolean {
    return this.#slowDisk === 'wait' && !this.#writer.detached && this.#slabs.isOverLimit;
  }

  #resumeIfDrained(): void {
    if (this.#resumes.length === 0 || this.#mustWait()) return;
    const resumes = this.#resumes;
    this.#resumes = [];
    for (const resume of resumes) resume();
  }

  #isCut(exchange: number, side: BodySide): boolean {
    return this.#cut.size > 0 && this.#cut.has(bodyCell(exchange, side));
  }

  #cutShort(exchange: number, side: BodySide, bytes: number): void {
    this.#cut.add(bodyCell(exchange, side));
    this.#bytesNotKept += bytes;
  }

  #forgetCuts(exchange: number): void {
    if (this.#cut.size === 0) return;
    this.#cut.delete(bodyCell(exchange, 'request'));
    this.#cut.delete(bodyCell(exchange, 'response'));
  }
}

interface Rows {
  /** Exchanges in it. */
  count: number;
  /** Of them, those that ended. */
  ended: number;
  /** Characters of their rows. */
  size: number;
  cells: RowCells;
}

function noRows(): Rows {
  return { count: 0, ended: 0, size: 0, cells: { exchanges: [], details: [], connections: [] } };
}

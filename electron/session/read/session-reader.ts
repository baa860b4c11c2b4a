import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { BodyRange, RowPage } from '../../../shared/contract/requests/exchange-requests.ts';
import type { WithinSession } from '../../../shared/contract/requests.ts';
import { columnsText } from '../../../shared/contract/row-columns.ts';
import { goodRows } from '../../../shared/contract/row-text.ts';
import type { RecordedSide } from '../../../shared/model/body-side.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { SessionEdits } from '../../../shared/model/edits/session-edits.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import { type SummaryRow, summaryOf } from '../../../shared/model/exchange-summary.ts';
import type { EndedConnection } from '../../../shared/model/insight/connection-end.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import type { SessionInfo } from '../../../shared/model/session-info.ts';
import { summaryPath } from '../../../shared/model/summary-columns.ts';
import { roundtripError, systemCode } from '../../failures/errors.ts';
import { bodyCell, sideCell, startCell } from '../format/body-cell.ts';
import { connectionOf } from '../format/connection-row.ts';
import { checkedDetail, type DetailRow, exchangeOf } from '../format/detail-row.ts';
import { MESSAGE_COLUMNS, messageOf } from '../format/message-cells.ts';
import { SLAB_BYTES } from '../format/slab-size.ts';
import { BodyRanges } from './body-ranges.ts';
import type { ConnectionCache } from './connection-cache.ts';
import { MessageReader } from './message-reader.ts';
import { openProblem } from './open/open-problem.ts';
import { type OpenedDatabase, openToRead } from './open/open-to-read.ts';
import { editsOf, NOT_REMOVED } from './read-edits.ts';

/**
 * Bytes. WebSockets and event streams have many short pieces; after one shorter than this, several are read at once.
 */
const SHORT_PIECE = 16 * 1024;
const SHORT_PIECES = 16;

export interface Totals {
  /** The highest id. */
  lastId: number;
  rows: number;
  /** Rows of the kind `connection`. */
  connections: number;
  /** The earliest start, milliseconds since the Unix epoch. */
  startedAt: number;
}

// SQLite takes `started_at` from the row that has the minimum; as JSON, for its own numbers may differ in the last
// digit.
const TOTALS = `SELECT count(*) AS rows, total(row ->> '${summaryPath('kind')}' = 'connection') AS connections,
  row -> '${summaryPath('startedAt')}' AS started_at, min(row ->> '${summaryPath('startedAt')}')
  FROM exchange WHERE id > ? AND id <= ?`;

/**
 * Reads a session file, even during writes: each call sees everything written before it. No transaction outlives a
 * call, because an open one would keep the write-ahead log growing.
 */
export class SessionReader {
  readonly path: string;
  readonly #opened: OpenedDatabase;
  readonly #database: DatabaseSync;
  readonly #ranges = new BodyRanges(this);
  /** WebSocket messages and server-sent events. */
  readonly messages = new MessageReader(this);
  readonly #statements = new Map<string, StatementSync>();

  /** Throws `session.open-failed`. */
  constructor(path: string) {
    this.path = path;
    let opened: OpenedDatabase | undefined;
    try {
      opened = openToRead(path);
      this.#opened = opened;
      this.#database = opened.database;
      this.sessionId();
    } catch (error) {
      opened?.close();
      throw roundtripError('session.open-failed', { path, detail: openProblem(error) }, systemCode(error));
    }
  }

  sessionId(): string {
    return String(this.#prepared('SELECT id FROM session').get()?.id);
  }

  info(): SessionInfo {
    const exchanges = Number(this.#prepared(`SELECT count(*) AS n FROM exchange WHERE ${this.#shown()}`).get()?.n);
    return {
      id: this.sessionId(),
      path: this.path,
      exchanges,
      bytes: fileSize(this.path) + fileSize(`${this.path}-wal`),
      ...(this.#opened.notice === null ? {} : { notice: this.#opened.notice }),
    };
  }

  /** Whether it shows what is written later. */
  get follows(): boolean {
    return this.#opened.follows;
  }

  /** Rows with an id above `after`, ascending, at most `limit` of them. */
  page(after: number, limit: number): { rows: ExchangeSummary[]; more: boolean } {
    const sql = `SELECT row FROM exchange WHERE id > ? AND ${this.#shown()} ORDER BY id LIMIT ?`;
    const found = this.#arrays(sql).all(after, limit + 1) as unknown as [string][];
    return { rows: found.slice(0, limit).map(([row]) => summaryIn(row)), more: found.length > limit };
  }

  /** The last rows, ascending, at most `limit` of them. */
  newest(limit: number): ExchangeSummary[] {
    const sql = `SELECT row FROM exchange WHERE ${this.#shown()} ORDER BY id DESC LIMIT ?`;
    const found = this.#arrays(sql).all(limit) as unknown as [string][];
    return found.reverse().map(([row]) => summaryIn(row));
  }

  /**
   * A page of rows as columns: those with an id above `after`, or the last ones if it is null. `last`: the id of the
   * last row in the file that the page covers; 0: there is none.
   */
  columns(after: number | null, limit: number): RowPage {
    const range = after === null ? 'true ORDER BY id DESC' : 'id > ? ORDER BY id';
    const sql = `SELECT id, row FROM exchange WHERE ${this.#shown()} AND ${range} LIMIT ?`;
    const found = this.#arrays(sql).all(...(after === null ? [] : [after]), limit + 1) as unknown as [number, string][];
    const page = found.slice(0, limit);
    if (after === null) page.reverse();
    const { rows, badRows } = goodRows(parsedRows(page.map(([, row]) => row)));
    const last = page.at(-1)?.[0] ?? 0;
    return { columns: columnsText(rows), count: rows.length, last, more: found.length > limit, badRows };
  }

  /** The highest id; 0 if there is none. */
  lastId(): number {
    return Number(this.#prepared('SELECT max(id) AS id FROM exchange').get()?.id ?? 0);
  }

  /** Of the rows with an id above `after`, at most `limit` of them: what `Totals` says. Null if there are none. */
  totals(after: number, limit: number): Totals | null {
    const shown = this.#shown();
    const last = this.#prepared(
      `SELECT max(id) AS id FROM (SELECT id FROM exchange WHERE id > ? AND ${shown} ORDER BY id LIMIT ?)`,
    ).get(after, limit)?.id;
    if (typeof last !== 'number') return null;
    const found = this.#prepared(`${TOTALS} AND ${shown}`).get(after, last);
    return {
      lastId: last,
      rows: Number(found?.rows),
      connections: Number(found?.connections),
      startedAt: Number(found?.started_at),
    };
  }

  /**
   * The exchanges of these rows, in ascending order. Cheaper than one `get` per row. `connections` caches connections
   * for the next rows. Throws `session.not-found`.
   */
  exchanges(rows: readonly ExchangeSummary[], connections: ConnectionCache): Exchange[] {
    const details = this.#arrays(
      'SELECT exchange, row FROM detail WHERE exchange BETWEEN ? AND ? ORDER BY exchange',
    ).all(rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0) as unknown as [number, string][];
    let at = 0;
    const find = (id: number, reused: boolean): ConnectionInfo | null => {
      const known = connections.get(id, reused);
      return known === undefined ? connections.keep(id, reused, this.#connection(id, reused)) : known;
    };
    return rows.map((row) => {
      while ((details[at]?.[0] ?? row.id) < row.id) at += 1;
      const [id, detail] = details[at] ?? [];
      if (id !== row.id || detail === undefined) throw roundtripError('session.not-found', { id: row.id });
      // Unchecked, as in `summaryIn`: the check took a third of the time here.
      return exchangeOf(row, JSON.parse(detail) as DetailRow, find);
    });
  }

  /** The first pieces of the bodies of the exchanges `first` to `last`, by `bodyCell`. */
  bodyStarts(first: number, last: number): Map<number, Uint8Array> {
    const found = this.#arrays('SELECT body, bytes FROM body_start WHERE body BETWEEN ? AND ?');
    const rows = found.all(bodyCell(first, 'request'), bodyCell(last, 'response')) as unknown as [number, unknown][];
    const starts = new Map<number, Uint8Array>();
    for (const [body, bytes] of rows) if (bytes instanceof Uint8Array) starts.set(body, bytes);
    return starts;
  }

  /** Throws `session.not-found`. */
  get(id: number): Exchange {
    const row = this.#prepared('SELECT row FROM exchange WHERE id = ?').get(id);
    const detail = this.#prepared('SELECT row FROM detail WHERE exchange = ?').get(id);
    if (row === undefined || detail === undefined) throw roundtripError('session.not-found', { id });
    return exchangeOf(summaryIn(String(row.row)), checkedDetail(String(detail.row)), (of, reused) =>
      this.#connection(of, reused),
    );
  }

  /** What users did to the rows: those that they removed are in no page and in no total. */
  edits(): SessionEdits {
    if (!this.#isEdited()) return { removed: [], marks: [] };
    const removed = this.#prepared('SELECT first, last FROM removed ORDER BY first').all();
    return editsOf(removed, this.#prepared('SELECT * FROM mark ORDER BY exchange').all());
  }

  /** Readable bytes of the body, from its beginning to the first gap. */
  bodySize(id: number, side: RecordedSide): number {
    const start = this.#prepared('SELECT length(bytes) AS length FROM body_start WHERE body = ?').get(
      startCell(id, side),
    );
    let size = Number(start?.length ?? 0);
    const pieces = this.#prepared(
      'SELECT offset, length(bytes) AS length FROM body WHERE exchange = ? AND side = ? ORDER BY offset',
    );
    for (const piece of pieces.all(id, sideCell(side))) {
      if (Number(piece.offset) !== size) break;
      size += Number(piece.length);
    }
    return size;
  }

  /** The body as recorded, from `offset` to its end or the first gap, in pieces of at most 256 KiB. */
  *bodyPieces(id: number, side: RecordedSide, offset = 0): Generator<Uint8Array> {
    const first = this.#pieceAt(id, side, offset);
    let pieces = first === null ? [] : [first];
    for (let at = offset; pieces.length > 0; ) {
      for (const piece of pieces) {
        yield piece;
        at += piece.length;
      }
      const isShort = (pieces.at(-1)?.length ?? 0) < SHORT_PIECE;
      pieces = this.#piecesFrom(id, side, at, isShort ? SHORT_PIECES : 1);
    }
  }

  /** The pieces from `at`, which must be the start of a piece, to the first gap. */
  #piecesFrom(id: number, side: RecordedSide, at: number, limit: number): Uint8Array[] {
    const rows = this.#prepared(
      'SELECT offset, bytes FROM body WHERE exchange = ? AND side = ? AND offset >= ? ORDER BY offset LIMIT ?',
    ).all(id, sideCell(side), at, limit);
    const pieces: Uint8Array[] = [];
    for (const { offset, bytes } of rows) {
      if (offset !== at || !(bytes instanceof Uint8Array) || bytes.length === 0) break;
      pieces.push(bytes);
      at += bytes.length;
    }
    return pieces;
  }

  /** The bytes from `at` to the end of the piece that contains it, or null if no piece does. */
  #pieceAt(id: number, side: RecordedSide, at: number): Uint8Array | null {
    // A piece is at most one slab long: the one that contains `at` starts no earlier than that before `at`.
    if (at < SLAB_BYTES) {
      const start = this.#prepared('SELECT bytes FROM body_start WHERE body = ?').get(startCell(id, side))?.bytes;
      if (start instanceof Uint8Array && at < start.length) return start.subarray(at);
    }
    const row = this.#prepared(
      'SELECT offset, bytes FROM body WHERE exchange = ? AND side = ? AND offset BETWEEN ? AND ? ORDER BY offset ' +
        'DESC LIMIT 1',
    ).get(id, sideCell(side), at - SLAB_BYTES, at);
    const bytes = row?.bytes instanceof Uint8Array ? row.bytes.subarray(at - Number(row.offset)) : null;
    return bytes?.length === 0 ? null : bytes;
  }

  /** In ascending order, starting at ordinal `from`. */
  messageMarks(id: number, from: number, limit: number): MessageMark[] {
    const marks = this.#arrays(
      `SELECT ${MESSAGE_COLUMNS} FROM message WHERE exchange = ? AND ordinal >= ? ORDER BY ordinal LIMIT ?`,
    );
    return (marks.all(id, from, limit) as unknown as unknown[][]).map(messageOf);
  }

  messageCount(id: number): number {
    return Number(this.#prepared('SELECT count(*) AS n FROM message WHERE exchange = ?').get(id)?.n);
  }

  /** Rejects with `session.not-found`. */
  readBody(input: WithinSession<'body.read'>): Promise<BodyRange> {
    return this.#ranges.read(input);
  }

  /** Bytes of decoded bodies that are in memory. */
  get decodedHeld(): number {
    return this.#ranges.held;
  }

  close(): void {
    this.#opened.close();
  }

  /** Connections with an id above `after`, ascending, at most `limit` of them. */
  connections(after: number, limit: number): { side: string; connection: ConnectionInfo }[] {
    return this.#prepared('SELECT * FROM connection WHERE id > ? ORDER BY id LIMIT ?')
      .all(after, limit)
      .map((row) => ({ side: String(row.side), connection: connectionOf(row, false) }));
  }

  /** The ends of connections with an id above `after`, ascending by id, at most `limit` of them. */
  connectionEnds(after: number, limit: number): EndedConnection[] {
    return this.#prepared('SELECT id, ended FROM connection WHERE id > ? AND ended IS NOT NULL ORDER BY id LIMIT ?')
      .all(after, limit)
      .map(({ id, ended }) => ({ connection: Number(id), ...JSON.parse(String(ended)) }) as EndedConnection);
  }

  /** The condition for rows that were not removed. A session that nobody edited has no table of them. */
  #shown(): string {
    return this.#isEdited() ? NOT_REMOVED : 'true';
  }

  #isEdited(): boolean {
    return this.#prepared("SELECT 1 FROM sqlite_master WHERE name = 'removed'").get() !== undefined;
  }

  #connection(id: number, reused: boolean): ConnectionInfo | null {
    const row = this.#prepared('SELECT * FROM connection WHERE id = ?').get(id);
    return row === undefined ? null : connectionOf(row, reused);
  }

  /** Rows come as arrays of cells: objects take half as long again. */
  #arrays(sql: string): StatementSync {
    const statement = this.#prepared(sql);
    statement.setReturnArrays(true);
    return statement;
  }

  #prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

function summaryIn(row: string): ExchangeSummary {
  // Not validated here, because rows are read by the thousand; the window validates the result.
  return summaryOf(JSON.parse(row) as SummaryRow);
}

/**
 * Rows parsed at once, which is much faster than one by one. Their text is 60 KB: a page's would be 1 MB, and V8 keeps
 * texts over 128 KB until it collects all of the heap.
 */
const PARSED = 100;

/** In a damaged file, texts that are not JSON become null. */
function parsedRows(texts: readonly string[]): unknown[] {
  const rows: unknown[] = [];
  for (let from = 0; from < texts.length; from += PARSED) {
    const some = texts.slice(from, from + PARSED);
    try {
      rows.push(...JSON.parse(`[${some.join(',')}]`));
    } catch {
      rows.push(...some.map(parsedRow));
    }
  }
  return rows;
}

function parsedRow(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

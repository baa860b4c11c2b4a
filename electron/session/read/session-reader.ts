import { statSync } from 'node:fs';
import type { BodyRange, RowPage } from '../../../shared/contract/requests/exchange-requests.ts';
import type { WithinSession } from '../../../shared/contract/requests.ts';
import { goodRows } from '../../../shared/contract/row-text.ts';
import type { RecordedSide } from '../../../shared/model/body-side.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { SessionEdits } from '../../../shared/model/edits/session-edits.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { EndedConnection } from '../../../shared/model/insight/connection-end.ts';
import type { MessageMark } from '../../../shared/model/message-mark.ts';
import type { SessionInfo } from '../../../shared/model/session-info.ts';
import { summaryPath } from '../../../shared/model/summary-columns.ts';
import { roundtripError, systemCode } from '../../failures/errors.ts';
import { bodyCell, sideCell, startCell } from '../format/body-cell.ts';
import { soundDetail } from '../format/check-detail.ts';
import { connectionOf } from '../format/connection-row.ts';
import { exchangeOf } from '../format/detail-row.ts';
import { MESSAGE_COLUMNS, messageOf } from '../format/message-cells.ts';
import { SLAB_BYTES } from '../format/slab-size.ts';
import { withoutLinks } from '../format/without-links.ts';
import { BodyRanges } from './body-ranges.ts';
import { columnsText } from './columns-text.ts';
import type { ConnectionCache } from './connection-cache.ts';
import { MessageReader } from './message-reader.ts';
import { openProblem } from './open/open-problem.ts';
import { SessionDatabase } from './open/session-database.ts';
import { parsedOrNull, parsedRows, summaryIn } from './parsed-rows.ts';
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
  FROM exchange WHERE id > ? AND id <= ? AND json_valid(row)`;

/**
 * Reads a session file, even during writes: each call sees everything written before it. No transaction outlives a
 * call, because an open one would keep the write-ahead log growing.
 */
export class SessionReader {
  readonly path: string;
  readonly #database: SessionDatabase;
  readonly #damaged = new Set<number>();
  readonly #ranges = new BodyRanges(this);
  #counted: { version: string; rows: number } | null = null;
  /** WebSocket messages and server-sent events. */
  readonly messages = new MessageReader(this);

  /** Throws `session.open-failed`. */
  constructor(path: string) {
    this.path = path;
    let database: SessionDatabase | undefined;
    try {
      database = new SessionDatabase(path);
      this.#database = database;
      this.sessionId();
    } catch (error) {
      database?.close();
      throw roundtripError('session.open-failed', { path, detail: openProblem(error) }, systemCode(error));
    }
  }

  sessionId(): string {
    return String(this.#database.get('SELECT id FROM session')?.id);
  }

  info(): SessionInfo {
    return {
      id: this.sessionId(),
      path: this.path,
      exchanges: this.#count(),
      bytes: fileSize(this.path) + fileSize(`${withoutLinks(this.path)}-wal`),
      ...(this.#database.notice === null ? {} : { notice: this.#database.notice }),
    };
  }

  /** A window that opens needs it twice, before it has a row: counting reads the whole table. */
  #count(): number {
    const { version } = this;
    if (this.#counted?.version === version) return this.#counted.rows;
    const rows = Number(this.#database.get(`SELECT count(*) AS n FROM exchange WHERE ${this.#shown()}`)?.n);
    this.#counted = { version, rows };
    return rows;
  }

  /** Whether it shows later writes. */
  get follows(): boolean {
    return this.#database.follows;
  }

  /** Differs once the file's content may differ. Exchanges, edits and ends of connections all count. */
  get version(): string {
    return this.#database.version;
  }

  /** Ids of exchanges that were left out because their rows are damaged, of those that were read so far. */
  get damaged(): ReadonlySet<number> {
    return this.#damaged;
  }

  /**
   * Rows with an id above `after`, ascending, at most `limit` of them, and not none if there are more. `badRows`:
   * damaged ones that were left out; those behind the last of `rows` count with the next page, which reads them again.
   */
  page(after: number, limit: number): { rows: ExchangeSummary[]; more: boolean; badRows: number } {
    const sql = `SELECT id, row FROM exchange WHERE id > ? AND ${this.#shown()} ORDER BY id LIMIT ?`;
    let badRows = 0;
    for (let from = after; ; ) {
      const found = this.#database.arrays<IdAndRow>(sql, from, limit + 1);
      const asked = found.slice(0, limit);
      const rows = this.#summaries(asked);
      const more = found.length > limit;
      const last = (more ? rows.at(-1)?.id : null) ?? Number.POSITIVE_INFINITY;
      badRows += asked.filter(([id]) => id <= last).length - rows.length;
      if (rows.length > 0 || !more) return { rows, more, badRows };
      from = found[limit - 1]?.[0] ?? from;
    }
  }

  /** The last rows, ascending, at most `limit` of them. */
  newest(limit: number): ExchangeSummary[] {
    const sql = `SELECT id, row FROM exchange WHERE ${this.#shown()} ORDER BY id DESC LIMIT ?`;
    return this.#summaries(this.#database.arrays<IdAndRow>(sql, limit).reverse());
  }

  /**
   * A page of rows as columns: those with an id above `after`, or the last ones if it is null. `last`: the id of the
   * last row in the file that the page covers; 0: there is none.
   */
  columns(after: number | null, limit: number): RowPage {
    const range = after === null ? 'true ORDER BY id DESC' : 'id > ? ORDER BY id';
    const sql = `SELECT id, row FROM exchange WHERE ${this.#shown()} AND ${range} LIMIT ?`;
    const found = this.#database.arrays<IdAndRow>(sql, ...(after === null ? [] : [after]), limit + 1);
    const page = found.slice(0, limit);
    if (after === null) page.reverse();
    const { rows, badRows } = goodRows(parsedRows(page.map(([, row]) => row)));
    const last = page.at(-1)?.[0] ?? 0;
    return { columns: columnsText(rows), count: rows.length, last, more: found.length > limit, badRows };
  }

  /** The highest id; 0 if there is none. */
  lastId(): number {
    return Number(this.#database.get('SELECT max(id) AS id FROM exchange')?.id ?? 0);
  }

  /** The `Totals` of at most `limit` rows with an id above `after`. Null if there are none. */
  totals(after: number, limit: number): Totals | null {
    const shown = this.#shown();
    const last = this.#database.get(
      `SELECT max(id) AS id FROM (SELECT id FROM exchange WHERE id > ? AND ${shown} ORDER BY id LIMIT ?)`,
      after,
      limit,
    )?.id;
    if (typeof last !== 'number') return null;
    const found = this.#database.get(`${TOTALS} AND ${shown}`, after, last);
    return {
      lastId: last,
      rows: Number(found?.rows),
      connections: Number(found?.connections),
      startedAt: Number(found?.started_at),
    };
  }

  /**
   * The exchanges of these rows, in ascending order, without those that are damaged. Cheaper than one `get` per row.
   * `connections` caches connections for the next rows.
   */
  exchanges(rows: readonly ExchangeSummary[], connections: ConnectionCache): Exchange[] {
    const details = this.detailTexts(rows);
    const find = (id: number, reused: boolean): ConnectionInfo | null => {
      const known = connections.get(id, reused);
      return known === undefined ? connections.keep(id, reused, this.connection(id, reused)) : known;
    };
    const exchanges: Exchange[] = [];
    for (const row of rows) {
      const detail = soundDetail(parsedOrNull(details.get(row.id) ?? 'null'));
      if (detail === null) this.noteDamaged(row.id);
      else exchanges.push(exchangeOf(row, detail, find));
    }
    return exchanges;
  }

  /** The details of these rows, in ascending order, as JSON (format/detail-row.ts), by id. */
  detailTexts(rows: readonly ExchangeSummary[]): Map<number, string> {
    const sql = 'SELECT exchange, row FROM detail WHERE exchange BETWEEN ? AND ? ORDER BY exchange';
    return new Map(this.#database.arrays<IdAndRow>(sql, rows[0]?.id ?? 0, rows.at(-1)?.id ?? 0));
  }

  /** The exchange is left out, because its row is damaged. */
  noteDamaged(id: number): void {
    this.#damaged.add(id);
  }

  /** The first pieces of the bodies of the exchanges `first` to `last`, by `bodyCell`. */
  bodyStarts(first: number, last: number): Map<number, Uint8Array> {
    const rows = this.#database.arrays<[number, unknown]>(
      'SELECT body, bytes FROM body_start WHERE body BETWEEN ? AND ?',
      bodyCell(first, 'request'),
      bodyCell(last, 'response'),
    );
    const starts = new Map<number, Uint8Array>();
    for (const [body, bytes] of rows) if (bytes instanceof Uint8Array) starts.set(body, bytes);
    return starts;
  }

  /** Throws `session.not-found` or `session.row-damaged`. */
  get(id: number): Exchange {
    const row = this.#database.get('SELECT row FROM exchange WHERE id = ?', id);
    const detail = this.#database.get('SELECT row FROM detail WHERE exchange = ?', id);
    if (row === undefined) throw roundtripError('session.not-found', { id });
    const summary = summaryIn(id, parsedOrNull(String(row.row)));
    const sound = soundDetail(parsedOrNull(String(detail?.row)));
    if (summary === null || sound === null) throw roundtripError('session.row-damaged', { id });
    return exchangeOf(summary, sound, (of, reused) => this.connection(of, reused));
  }

  /** What users did to the rows: removed ones are in no page and in no total. */
  edits(): SessionEdits {
    if (!this.#isEdited()) return { removed: [], marks: [] };
    const removed = this.#database.all('SELECT first, last FROM removed ORDER BY first');
    return editsOf(removed, this.#database.all('SELECT * FROM mark ORDER BY exchange'));
  }

  /** Readable bytes of the body, from its beginning to the first gap. */
  bodySize(id: number, side: RecordedSide): number {
    const start = this.#database.get(
      'SELECT length(bytes) AS length FROM body_start WHERE body = ?',
      startCell(id, side),
    );
    let size = Number(start?.length ?? 0);
    const pieces = this.#database.all(
      'SELECT offset, length(bytes) AS length FROM body WHERE exchange = ? AND side = ? ORDER BY offset',
      id,
      sideCell(side),
    );
    for (const piece of pieces) {
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
    const rows = this.#database.arrays<[offset: unknown, bytes: unknown]>(
      'SELECT offset, bytes FROM body WHERE exchange = ? AND side = ? AND offset >= ? ORDER BY offset LIMIT ?',
      id,
      sideCell(side),
      at,
      limit,
    );
    const pieces: Uint8Array[] = [];
    for (const [offset, bytes] of rows) {
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
      const start = this.#database.get('SELECT bytes FROM body_start WHERE body = ?', startCell(id, side))?.bytes;
      if (start instanceof Uint8Array && at < start.length) return start.subarray(at);
    }
    const row = this.#database.get(
      'SELECT offset, bytes FROM body WHERE exchange = ? AND side = ? AND offset BETWEEN ? AND ? ORDER BY offset ' +
        'DESC LIMIT 1',
      id,
      sideCell(side),
      at - SLAB_BYTES,
      at,
    );
    const bytes = row?.bytes instanceof Uint8Array ? row.bytes.subarray(at - Number(row.offset)) : null;
    return bytes?.length === 0 ? null : bytes;
  }

  /** In ascending order, starting at ordinal `from`. */
  messageMarks(id: number, from: number, limit: number): MessageMark[] {
    const marks = this.#database.arrays<unknown[]>(
      `SELECT ${MESSAGE_COLUMNS} FROM message WHERE exchange = ? AND ordinal >= ? ORDER BY ordinal LIMIT ?`,
      ...[id, from, limit],
    );
    return marks.map(messageOf);
  }

  messageCount(id: number): number {
    return Number(this.#database.get('SELECT count(*) AS n FROM message WHERE exchange = ?', id)?.n);
  }

  /** Rejects with `session.not-found`. */
  readBody(input: WithinSession<'body.read'>): Promise<BodyRange> {
    return this.#ranges.read(input);
  }

  close(): void {
    this.#database.close();
  }

  /** Connections with an id above `after`, ascending, at most `limit` of them. */
  connections(after: number, limit: number): { side: string; connection: ConnectionInfo }[] {
    return this.#database
      .all('SELECT * FROM connection WHERE id > ? ORDER BY id LIMIT ?', after, limit)
      .map((row) => ({ side: String(row.side), connection: connectionOf(row, false) }));
  }

  /** Null: the session has none with that id. */
  connection(id: number, reused: boolean): ConnectionInfo | null {
    const row = this.#database.get('SELECT * FROM connection WHERE id = ?', id);
    return row === undefined ? null : connectionOf(row, reused);
  }

  /** The ends of connections with an id above `after`, ascending by id, at most `limit` of them. */
  connectionEnds(after: number, limit: number): EndedConnection[] {
    return this.#database
      .all('SELECT id, ended FROM connection WHERE id > ? AND json_valid(ended) ORDER BY id LIMIT ?', after, limit)
      .map(({ id, ended }) => ({ connection: Number(id), ...JSON.parse(String(ended)) }) as EndedConnection);
  }

  /** The condition for rows that were not removed. A session without edits has no table of them. */
  #shown(): string {
    return this.#isEdited() ? NOT_REMOVED : 'true';
  }

  #isEdited(): boolean {
    return this.#database.get("SELECT 1 FROM sqlite_master WHERE name = 'removed'") !== undefined;
  }

  #summaries(found: readonly IdAndRow[]): ExchangeSummary[] {
    const rows = parsedRows(found.map(([, row]) => String(row)));
    return found.flatMap(([id], at) => {
      const summary = summaryIn(id, rows[at]);
      if (summary !== null) return [summary];
      this.#damaged.add(id);
      return [];
    });
  }
}

type IdAndRow = [id: number, row: string];

function fileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

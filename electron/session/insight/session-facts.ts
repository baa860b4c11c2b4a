import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fact } from '../../../shared/insight/fact.ts';
import { factFrom, factOf } from '../../../shared/insight/fact-from.ts';
import type { ConnectionInfo } from '../../../shared/model/connection.ts';
import type { ExchangeSummary } from '../../../shared/model/exchange-summary.ts';
import type { ConnectionEnd } from '../../../shared/model/insight/connection-end.ts';
import { RoundtripError } from '../../failures/errors.ts';
import { ConnectionCache } from '../read/connection-cache.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { BodyMeasures } from './body-measures.ts';
import { DetailTexts } from './detail-texts.ts';

/** Rows read at once: a few milliseconds of the thread. */
const PAGE = 250;
/** Ends of connections read at once. */
const ENDS = 1000;

/**
 * The facts of a session (shared/insight), kept between calls: each reads only what is new, and exchanges that were
 * still open. A session that was cleared, or whose rows were removed or restored, is read from its beginning.
 */
export class SessionFacts {
  readonly #reader: SessionReader;
  readonly #latest: number;
  readonly #connections = new ConnectionCache();
  readonly #details = new DetailTexts();
  /** The file's version at the last read. */
  #version = '';
  /** The session's id, and the rows that users removed from it. */
  #content = '';
  #last = 0;
  #skipped = 0;
  /** By id. */
  #facts: Fact[] = [];
  /** Ids of exchanges in progress. */
  #open = new Set<number>();
  #measures = new BodyMeasures();
  /** Calls run in sequence: two at once would read the same rows. */
  #reading: Promise<unknown> = Promise.resolve();

  /** `latest`: how many ids back from the last one are read and kept; default: all. */
  constructor(reader: SessionReader, latest = Number.POSITIVE_INFINITY) {
    this.#reader = reader;
    this.#latest = latest;
  }

  /** Exchanges up to this id are excluded, because they are not among the latest; 0: all are included. */
  get skipped(): number {
    return this.#skipped;
  }

  /** The file's version at the last read: as long as it is the same, the facts are. */
  get version(): string {
    return this.#version;
  }

  /** All facts so far, by id. Yields the thread between pages. */
  read(): Promise<readonly Fact[]> {
    const read = this.#reading.then(() => this.#readNow());
    this.#reading = read.catch(() => null);
    return read;
  }

  async #readNow(): Promise<readonly Fact[]> {
    // What is written during the read makes the next one look again.
    const { version } = this.#reader;
    if (version === this.#version) return this.#facts;
    this.#begin(JSON.stringify([this.#reader.sessionId(), this.#reader.edits().removed]));
    this.#drop(this.#reader.lastId() - this.#latest);
    await this.#readOpen();
    for (let more = true; more; ) {
      const page = this.#reader.page(this.#last, PAGE);
      this.#keep(page.rows.filter(({ kind }) => kind !== 'connection'));
      this.#last = page.rows.at(-1)?.id ?? this.#last;
      more = page.more;
      await nextTurn();
    }
    this.#noteEnds(this.#facts);
    await this.#measures.measure(this.#reader, this.#facts);
    this.#version = version;
    return this.#facts;
  }

  #begin(content: string): void {
    if (content === this.#content) return;
    this.#content = content;
    this.#last = 0;
    this.#skipped = 0;
    this.#facts = [];
    this.#open = new Set();
    this.#measures = new BodyMeasures();
  }

  /** Drops the exchanges up to `id`, and reads none of them. */
  #drop(id: number): void {
    if (id <= this.#skipped) return;
    this.#skipped = id;
    this.#last = Math.max(this.#last, id);
    this.#facts = this.#facts.slice(placeOf(this.#facts, id + 1));
    for (const open of this.#open) if (open <= id) this.#open.delete(open);
  }

  /** Connections end after the exchanges on them. */
  #noteEnds(facts: readonly Fact[]): void {
    const ends = new Map<number, ConnectionEnd>();
    let last =
      facts.reduce((least, { upstream }) => (upstream > 0 && upstream < least ? upstream : least), Infinity) - 1;
    for (let more = last < Infinity; more; ) {
      const found = this.#reader.connectionEnds(last, ENDS);
      for (const { connection, ...end } of found) ends.set(connection, end);
      last = found.at(-1)?.connection ?? last;
      more = found.length === ENDS;
    }
    for (const fact of facts) fact.upstreamEnd = ends.get(fact.upstream) ?? null;
  }

  async #readOpen(): Promise<void> {
    let read = 0;
    for (const id of this.#open) {
      const fact = this.#factAt(id);
      // A damaged one is left out, as if it had been damaged before.
      this.#facts.splice(placeOf(this.#facts, id), 1, ...(fact === null ? [] : [fact]));
      if (fact?.state !== 'open') this.#open.delete(id);
      read += 1;
      if (read % PAGE === 0) await nextTurn();
    }
  }

  /** Null: its row is damaged. */
  #factAt(id: number): Fact | null {
    try {
      return factOf(this.#reader.get(id));
    } catch (error) {
      if (!(error instanceof RoundtripError) || error.code !== 'session.row-damaged') throw error;
      this.#reader.noteDamaged(id);
      return null;
    }
  }

  #keep(rows: readonly ExchangeSummary[]): void {
    const texts = this.#reader.detailTexts(rows);
    for (const row of rows) {
      const detail = this.#details.read(texts.get(row.id) ?? '', `${row.authority} ${row.mediaType}`);
      if (detail === null) {
        this.#reader.noteDamaged(row.id);
        continue;
      }
      this.#facts.push(factFrom(row, detail, this.#upstream(row.upstreamConnection)));
      if (row.state === 'open') this.#open.add(row.id);
    }
  }

  #upstream(id: number): ConnectionInfo | null {
    const known = this.#connections.get(id, false);
    return known === undefined ? this.#connections.keep(id, false, this.#reader.connection(id, false)) : known;
  }
}

/** The index of the first fact with this id or a higher one. `facts`: by id. */
function placeOf(facts: readonly Fact[], id: number): number {
  let [from, to] = [0, facts.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((facts[middle]?.id ?? id) < id) from = middle + 1;
    else to = middle;
  }
  return from;
}

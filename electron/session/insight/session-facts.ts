import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Fact, factOf } from '../../../shared/insight/fact.ts';
import type { ConnectionEnd } from '../../../shared/model/insight/connection-end.ts';
import { ConnectionCache } from '../read/connection-cache.ts';
import type { SessionReader } from '../read/session-reader.ts';
import { BodyMeasures } from './body-measures.ts';

/** Rows read at once: a few milliseconds of the thread. */
const PAGE = 250;
/** Ends of connections read at once. */
const ENDS = 1000;

/**
 * The facts of a session (shared/insight), kept between calls: each reads only what is new, and exchanges that were
 * still open. A session that was cleared is read from its beginning.
 */
export class SessionFacts {
  readonly #reader: SessionReader;
  readonly #connections = new ConnectionCache();
  #session = '';
  #last = 0;
  /** Rows read, those of any kind. */
  #rows = 0;
  #facts: Fact[] = [];
  /** Exchanges that go on, by id: where they are in `#facts`. */
  #open = new Map<number, number>();
  #measures = new BodyMeasures();
  /** Calls run in sequence: two at once would read the same rows. */
  #reading: Promise<unknown> = Promise.resolve();

  constructor(reader: SessionReader) {
    this.#reader = reader;
  }

  /** All facts so far, by id. Yields the thread between pages. */
  read(): Promise<readonly Fact[]> {
    const read = this.#reading.then(() => this.#readNow());
    this.#reading = read.catch(() => null);
    return read;
  }

  async #readNow(): Promise<readonly Fact[]> {
    // Rows were removed, which is rare: everything is read again.
    const isShorter = this.#reader.info().exchanges < this.#rows;
    this.#begin(this.#reader.sessionId(), isShorter);
    await this.#readOpen();
    for (let more = true; more; ) {
      const page = this.#reader.page(this.#last, PAGE);
      for (const exchange of this.#reader.exchanges(page.rows, this.#connections)) this.#keep(factOf(exchange));
      this.#last = page.rows.at(-1)?.id ?? this.#last;
      this.#rows += page.rows.length;
      more = page.more;
      await nextTurn();
    }
    this.#noteEnds(this.#facts);
    await this.#measures.measure(this.#reader, this.#facts);
    return this.#facts;
  }

  #begin(session: string, again: boolean): void {
    if (session === this.#session && !again) return;
    this.#session = session;
    this.#last = 0;
    this.#rows = 0;
    this.#facts = [];
    this.#open = new Map();
    this.#measures = new BodyMeasures();
  }

  /** Connections end after the exchanges on them. */
  #noteEnds(facts: readonly Fact[]): void {
    const ends = new Map<number, ConnectionEnd>();
    for (let last = 0, more = true; more; ) {
      const found = this.#reader.connectionEnds(last, ENDS);
      for (const { connection, ...end } of found) ends.set(connection, end);
      last = found.at(-1)?.connection ?? last;
      more = found.length === ENDS;
    }
    for (const fact of facts) fact.upstreamEnd = ends.get(fact.upstream) ?? null;
  }

  async #readOpen(): Promise<void> {
    let read = 0;
    for (const [id, place] of [...this.#open]) {
      const fact = factOf(this.#reader.get(id));
      this.#facts[place] = fact;
      if (fact.state !== 'open') this.#open.delete(id);
      read += 1;
      if (read % PAGE === 0) await nextTurn();
    }
  }

  #keep(fact: Fact): void {
    if (fact.kind === 'connection') return;
    if (fact.state === 'open') this.#open.set(fact.id, this.#facts.length);
    this.#facts.push(fact);
  }
}

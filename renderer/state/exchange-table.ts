import { createStore, type StoreApi } from 'zustand/vanilla';
import { pageRow, type RowColumns } from '../../shared/contract/row-columns.ts';
import type { SessionEdits } from '../../shared/model/edits/session-edits.ts';
import type { ExchangeSummary, SummaryRow } from '../../shared/model/exchange-summary.ts';
import { Rush } from '../../shared/model/rush.ts';
import { RowEdits } from './row-edits.ts';
import { type Arrangement, arrangedRows } from './rows/arranged-rows.ts';
import { DrawnRows } from './rows/drawn-rows.ts';
import { mergedIds } from './rows/merged-ids.ts';
import { idOf, pageId, pageRevision, RowStore, revisionOf } from './rows/row-store.ts';
import { Slices } from './slices.ts';
import { Timeline } from './timeline-buckets.ts';

/** What a table has until the edits of its session are read. */
const NO_EDITS: SessionEdits = { removed: [], marks: [] };

/**
 * All rows of the session, and the shown ones in order. A session may have 1,000,000: rows live in columns that change
 * in place, and `changes` carries a version for React. A batch costs a search for the place of each changed row; the
 * other rows are not sorted again. A new filter or order is computed in slices, and the list shows the previous one
 * until it is done.
 */
export class ExchangeTable {
  /** `arrangement`: increments when a new filter or order is shown. */
  readonly changes: StoreApi<{ version: number; arrangement: number }> = createStore(() => ({
    version: 0,
    arrangement: 0,
  }));
  /** Of all rows, regardless of the filter shows. */
  readonly timeline = new Timeline();
  /** Whether rows arrive at the rate of traffic rather than of single clicks; counts waiting rows too. */
  readonly rush = new Rush(() => performance.now());
  /** Empty until the host has named the session. */
  sessionId = '';
  /** Exchanges in the state `failed`. */
  failed = 0;
  #isComplete = false;
  #edits = new RowEdits(NO_EDITS);
  readonly #rows = new RowStore((id) => this.#edits.colourOf(id));
  readonly #drawn = new DrawnRows(this.#rows);
  readonly #slices: Slices<number[]>;
  /** Ids of the shown rows in order; the rows' flags in `#rows` say the same. */
  #visible: number[] = [];
  /**
   * Ids of rows that wait for the next drawing. A list that follows its newest row scrolls with each row it gets, and
   * draws itself again for each scroll: 20 pages would be drawn 20 times.
   */
  #undrawn: number[] = [];
  /** Rows have changed since the last drawing. */
  #isBehind = false;
  #arrangement: Arrangement = { matches: () => true, sorting: null };
  /** The arrangement that is being computed; otherwise the one that is shown. */
  #wanted = this.#arrangement;
  /** Rows that changed while the next arrangement is computed; null: none is. */
  #changedMeanwhile: Set<number> | null = null;

  constructor(slices = new Slices<number[]>()) {
    this.#slices = slices;
  }

  /** Rows, without those that wait for the next drawing. */
  get size(): number {
    return this.#rows.size - this.#undrawn.length;
  }

  /** Every row that existed when the window began to read has been read. */
  get complete(): boolean {
    return this.#isComplete;
  }

  /** The highest id; 0: there is no row. */
  get lastId(): number {
    return this.#rows.lastId;
  }

  /** Ids in display order. Changes in place: don't keep it across turns. */
  get visible(): readonly number[] {
    return this.#visible;
  }

  /** A new filter or order is being computed. */
  get arranging(): boolean {
    return this.#slices.running;
  }

  /** The same object as long as the row is unchanged, for recently requested rows. */
  row(id: number): ExchangeSummary | undefined {
    return this.#drawn.get(id);
  }

  /** The row for immediate use, for readers of all rows: it is not kept, and changes with the row. */
  view(id: number): ExchangeSummary | undefined {
    return this.#rows.has(id) ? this.#rows.view(id) : undefined;
  }

  /** The row's revision; -1: there is no such row. */
  revision(id: number): number {
    return this.#rows.revision(id);
  }

  /** What users did to the rows. */
  get edits(): RowEdits {
    return this.#edits;
  }

  /** Hides removed rows and marks others. Rows that were restored must be applied again. */
  edit(edits: SessionEdits): void {
    this.#edits = new RowEdits(edits);
    this.#drawn.clear();
    const { size } = this.#rows;
    for (const id of edits.removed.length > 0 ? this.#ids() : []) if (this.#edits.isRemoved(id)) this.#rows.delete(id);
    if (this.#rows.size < size) {
      this.#countAgain();
      this.#visible = this.#visible.filter((id) => this.#rows.has(id));
    }
    this.arrange(this.#wanted);
  }

  /** Empties the table for another session. Filter and order stay. */
  reset(sessionId: string): void {
    this.sessionId = sessionId;
    this.#isComplete = false;
    this.failed = 0;
    this.#edits = new RowEdits(NO_EDITS);
    this.#rows.clear();
    this.#drawn.clear();
    this.#slices.cancel();
    this.#arrangement = this.#wanted;
    this.#changedMeanwhile = null;
    this.#visible = [];
    this.#undrawn = [];
    this.timeline.clear();
    this.#changed();
  }

  /** The rows that were there are all applied. */
  finish(): void {
    this.#isComplete = true;
    this.#changed();
  }

  /** Adds or replaces rows. Of two versions of a row the higher revision stays, in any order of arrival. */
  apply(rows: Iterable<SummaryRow>): void {
    this.add(rows);
    this.draw();
  }

  /** The same, to be drawn with what comes next. */
  add(rows: Iterable<SummaryRow>): void {
    const fresh: number[] = [];
    for (const cells of rows) {
      const id = idOf(cells);
      const known = this.#rows.revision(id);
      if (known >= revisionOf(cells) || this.#edits.isRemoved(id)) continue;
      this.#set(id, cells, known >= 0);
      fresh.push(id);
    }
    this.#take(fresh);
    this.#isBehind ||= fresh.length > 0;
  }

  /** As `apply`, for the rows of a page, column by column. They show after `draw`, or with the next change. */
  addPage(page: RowColumns): void {
    const places: number[] = [];
    for (let at = 0; at < page.count; at += 1) {
      const id = pageId(page, at);
      const known = this.#rows.revision(id);
      if (known >= pageRevision(page, at) || this.#edits.isRemoved(id)) continue;
      if (known < 0) places.push(at);
      else {
        this.#set(id, pageRow(page, at), true);
        this.#take([id]);
      }
    }
    this.#rows.setAll(page, places);
    for (const at of places) {
      const id = pageId(page, at);
      this.#count(this.#rows.view(id));
      this.#undrawn.push(id);
    }
  }

  /** Shows what was added, if anything was. */
  draw(): void {
    if (this.#isBehind || this.#undrawn.length > 0) this.#changed();
  }

  /** Sets which rows are shown and their order; the same again for rows that now match otherwise. */
  arrange(arrangement: Arrangement): void {
    this.#wanted = arrangement;
    this.#changedMeanwhile = new Set();
    const work = arrangedRows(this.#rows, arrangement, (id) => this.#edits.isPinned(id));
    this.#slices.start(work, (ids) => this.#show(ids, arrangement));
    // Even if it is not finished: removed rows are gone.
    this.#changed();
  }

  /** A new arrangement is computed over several turns. Rows that change meanwhile are placed again at the end. */
  #show(ids: number[], arrangement: Arrangement): void {
    const meanwhile = [...(this.#changedMeanwhile ?? [])];
    this.#changedMeanwhile = null;
    this.#arrangement = arrangement;
    this.#visible = ids;
    const isWhole = ids.length === this.#rows.size;
    this.#rows.showAll(isWhole);
    if (!isWhole) for (const id of ids) this.#rows.show(id, true);
    this.#place(meanwhile);
    this.changes.setState(({ arrangement: count }) => ({ arrangement: count + 1 }));
    this.#changed();
  }

  /** The old values are read before they are overwritten: the counts need the difference. */
  #set(id: number, cells: SummaryRow, isKnown: boolean): void {
    const old = isKnown ? this.#rows.summary(id) : undefined;
    this.#rows.set(cells);
    this.#drawn.delete(id);
    this.#count(this.#rows.view(id), old);
  }

  #count(row: ExchangeSummary, old?: ExchangeSummary): void {
    this.timeline.replace(old, row);
    this.failed += Number(row.state === 'failed') - Number(old?.state === 'failed');
  }

  /** Removed rows can't be taken out of the timeline's samples: it is built again from the rest. */
  #countAgain(): void {
    this.failed = 0;
    this.timeline.clear();
    for (const id of this.#ids()) this.#count(this.#rows.view(id));
  }

  /** Ascending, which is the order of arrival. */
  *#ids(): Generator<number> {
    for (const chunk of this.#rows.chunks()) yield* chunk.ids();
  }

  /** Rows that were added or changed find their places. */
  #take(fresh: readonly number[]): void {
    this.#place(fresh);
    if (this.#changedMeanwhile !== null) for (const id of fresh) this.#changedMeanwhile.add(id);
  }

  /** Updates the shown ids for changed rows. */
  #place(fresh: readonly number[]): void {
    const leave = new Set<number>();
    const enter: number[] = [];
    const { matches, sorting } = this.#arrangement;
    for (const id of fresh) {
      const shows = this.#rows.has(id) && (this.#edits.isPinned(id) || matches(this.#rows.view(id)));
      const was = this.#rows.isShown(id);
      // In order of arrival, a shown row never moves.
      if (was && shows && sorting === null) continue;
      if (was) leave.add(id);
      if (shows) enter.push(id);
      this.#rows.show(id, shows);
    }
    this.#visible = mergedIds(this.#visible, leave, enter, this.#compare);
  }

  /** Pinned rows come first in any order. */
  #compare = (a: number, b: number): number => {
    const pinned = Number(this.#edits.isPinned(b)) - Number(this.#edits.isPinned(a));
    if (pinned !== 0) return pinned;
    const { sorting } = this.#arrangement;
    // Ids are unique: the order is total, as the merge requires.
    if (sorting === null) return a - b;
    const [left, right] = [sorting.value(this.#rows.view(a)), sorting.value(this.#rows.view(b))];
    if (left === right) return a - b;
    return left < right === sorting.descending ? 1 : -1;
  };

  #changed(): void {
    this.#isBehind = false;
    this.#take(this.#undrawn.splice(0));
    this.changes.setState(({ version }) => ({ version: version + 1 }));
  }
}

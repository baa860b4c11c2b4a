import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Predicate } from '../../shared/filter/query.ts';
import type { SessionEdits } from '../../shared/model/edits/session-edits.ts';
import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';
import { Rush } from '../../shared/model/rush.ts';
import { RowEdits } from './row-edits.ts';
import { Timeline } from './timeline-buckets.ts';

/** A sort order; `key` is the column, `compare` sorts ascending. */
export interface Sorting {
  key: string;
  descending: boolean;
  compare: (a: ExchangeSummary, b: ExchangeSummary) => number;
}

/**
 * All rows of the session, and the shown ones in order. A session may have 100,000: rows live in a Map and an array
 * that change in place, and `changes` carries a version for React. A batch costs one pass that takes the changed rows
 * out and merges them back in, sorted; the other rows are not sorted again. Rows that only append skip that pass.
 */
export class ExchangeTable {
  readonly changes: StoreApi<{ version: number }> = createStore(() => ({ version: 0 }));
  readonly timeline = new Timeline();
  /** Whether rows arrive at the rate of traffic rather than of single clicks; counts rows that still wait, too. */
  readonly rush = new Rush(() => performance.now());
  /** Empty until the host has named the session. */
  sessionId = '';
  /** Exchanges in the state `failed`. */
  failed = 0;
  #rows = new Map<number, ExchangeSummary>();
  #edits = new RowEdits({ removed: [], marks: [] });
  /** Ids of the shown rows in order; `#member` is the same as a set. */
  #visible: number[] = [];
  #member = new Set<number>();
  #matches: Predicate = () => true;
  #sorting: Sorting | null = null;
  /** The last shown id in order of arrival: rows above it can be appended. */
  #lastId = 0;

  get size(): number {
    return this.#rows.size;
  }

  /** The highest id; 0: there is no row. */
  get lastId(): number {
    let last = 0;
    for (const id of this.#rows.keys()) last = Math.max(last, id);
    return last;
  }

  /** Ids in display order. Changes in place: don't keep it across turns. */
  get visible(): readonly number[] {
    return this.#visible;
  }

  row(id: number): ExchangeSummary | undefined {
    return this.#rows.get(id);
  }

  /** What users did to the rows. */
  get edits(): RowEdits {
    return this.#edits;
  }

  /** Hides removed rows and marks others. Rows that were restored must be applied again. */
  edit(edits: SessionEdits): void {
    const before = this.#edits;
    this.#edits = new RowEdits(edits);
    this.failed = 0;
    this.timeline.clear();
    for (const [id, row] of this.#rows) {
      if (this.#edits.isRemoved(id)) {
        this.#rows.delete(id);
        continue;
      }
      const shown = this.#edits.shown(before.recorded(row));
      this.#rows.set(id, shown);
      this.timeline.replace(undefined, shown);
      this.failed += Number(shown.state === 'failed');
    }
    this.arrange(this.#matches, this.#sorting);
  }

  /** Empties the table for another session. Filter and order stay. */
  reset(sessionId: string): void {
    this.sessionId = sessionId;
    this.failed = 0;
    this.#edits = new RowEdits({ removed: [], marks: [] });
    this.#rows.clear();
    this.#visible = [];
    this.#member.clear();
    this.#lastId = 0;
    this.timeline.clear();
    this.#changed();
  }

  /** All rows that fit, whatever is shown. */
  matching(fits: (row: ExchangeSummary) => boolean): ExchangeSummary[] {
    return [...this.#rows.values()].filter(fits);
  }

  /** Adds or replaces rows. Of two versions of a row the higher revision stays, in whatever order they arrive. */
  apply(rows: Iterable<ExchangeSummary>): void {
    const fresh: ExchangeSummary[] = [];
    for (const arrived of rows) {
      const old = this.#rows.get(arrived.id);
      if ((old && old.revision >= arrived.revision) || this.#edits.isRemoved(arrived.id)) continue;
      const row = this.#edits.shown(arrived);
      this.#rows.set(row.id, row);
      this.timeline.replace(old, row);
      this.failed += Number(row.state === 'failed') - Number(old?.state === 'failed');
      fresh.push(row);
    }
    if (fresh.length === 0) return;
    this.#place(fresh);
    this.#changed();
  }

  /** Sets which rows are shown and their order; null is the order of arrival. */
  arrange(matches: Predicate, sorting: Sorting | null): void {
    this.#matches = matches;
    this.#sorting = sorting;
    const shown = [...this.#rows.values()].filter(this.#isShown).sort(this.#compare);
    this.#visible = shown.map((row) => row.id);
    this.#member = new Set(this.#visible);
    this.#lastId = this.#sorting ? 0 : (this.#visible.at(-1) ?? 0);
    this.#changed();
  }

  #isShown = (row: ExchangeSummary): boolean => this.#edits.isPinned(row.id) || this.#matches(row);

  #compare = (a: ExchangeSummary, b: ExchangeSummary): number => {
    const pinned = Number(this.#edits.isPinned(b.id)) - Number(this.#edits.isPinned(a.id));
    if (pinned !== 0) return pinned;
    const order = this.#sorting ? this.#sorting.compare(a, b) : 0;
    if (order !== 0) return this.#sorting?.descending ? -order : order;
    // Ids are unique: the order is total, as the merge requires.
    return a.id - b.id;
  };

  /** Updates the shown ids for changed rows. Appending, the usual case, costs only those rows. */
  #place(fresh: ExchangeSummary[]): void {
    const leave = new Set<number>();
    const enter: ExchangeSummary[] = [];
    for (const row of fresh) {
      const matches = this.#isShown(row);
      const was = this.#member.has(row.id);
      // In order of arrival, a shown row never moves.
      if (was && matches && !this.#sorting) continue;
      if (was) leave.add(row.id);
      if (matches) enter.push(row);
      if (matches) this.#member.add(row.id);
      else this.#member.delete(row.id);
    }
    enter.sort(this.#compare);
    const first = enter[0];
    // Pinned rows, which come first here, never go to the end.
    const isNew = first !== undefined && first.id > this.#lastId && !this.#edits.isPinned(first.id);
    const appends = leave.size === 0 && !this.#sorting && isNew;
    if (appends) for (const row of enter) this.#visible.push(row.id);
    else if (leave.size > 0 || enter.length > 0) this.#merge(leave, enter);
    if (!this.#sorting) this.#lastId = this.#visible.at(-1) ?? 0;
  }

  /** One pass over the shown ids: drops `leave` and inserts `enter`, both in the table's order. */
  #merge(leave: Set<number>, enter: ExchangeSummary[]): void {
    const merged: number[] = [];
    let next = 0;
    for (const id of this.#visible) {
      if (leave.has(id)) continue;
      const row = this.#rows.get(id);
      for (let at = enter[next]; row && at && this.#compare(at, row) < 0; at = enter[next]) {
        merged.push(at.id);
        next += 1;
      }
      merged.push(id);
    }
    for (const row of enter.slice(next)) merged.push(row.id);
    this.#visible = merged;
  }

  #changed(): void {
    this.changes.setState(({ version }) => ({ version: version + 1 }));
  }
}

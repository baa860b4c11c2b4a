import { isInRanges } from '../../shared/model/edits/id-ranges.ts';
import { type IdRange, NO_MARK, type SessionEdits, type UserMark } from '../../shared/model/edits/session-edits.ts';
import type { ExchangeSummary } from '../../shared/model/exchange-summary.ts';

/** What users did to the rows of a session, by id. */
export class RowEdits {
  readonly #removed: readonly IdRange[];
  readonly #marks: ReadonlyMap<number, UserMark>;
  /** As recorded, the colours of rows that have another now. */
  readonly #colours = new Map<number, ExchangeSummary['colour']>();

  constructor({ removed, marks }: SessionEdits) {
    this.#removed = removed;
    this.#marks = new Map(marks.map(({ id, mark }) => [id, mark]));
  }

  isRemoved(id: number): boolean {
    return isInRanges(this.#removed, id);
  }

  isPinned(id: number): boolean {
    return this.#marks.get(id)?.pinned ?? false;
  }

  markOf(id: number): UserMark {
    return this.#marks.get(id) ?? NO_MARK;
  }

  /** The row with the colour that a user gave it. */
  shown(row: ExchangeSummary): ExchangeSummary {
    const colour = this.#marks.get(row.id)?.colour ?? null;
    if (colour === null) return row;
    this.#colours.set(row.id, row.colour);
    return { ...row, colour };
  }

  /** The reverse of `shown`. */
  recorded(row: ExchangeSummary): ExchangeSummary {
    const colour = this.#colours.get(row.id);
    return colour === undefined ? row : { ...row, colour };
  }
}

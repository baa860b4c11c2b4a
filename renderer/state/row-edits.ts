import { isInRanges } from '../../shared/model/edits/id-ranges.ts';
import { type IdRange, NO_MARK, type SessionEdits, type UserMark } from '../../shared/model/edits/session-edits.ts';

/** What users did to the rows of a session, by id. */
export class RowEdits {
  readonly #removed: readonly IdRange[];
  readonly #marks: ReadonlyMap<number, UserMark>;

  constructor({ removed, marks }: SessionEdits) {
    this.#removed = removed;
    this.#marks = new Map(marks.map(({ id, mark }) => [id, mark]));
  }

  /** Hidden rows, as `session.edit` restores them. */
  get removed(): readonly IdRange[] {
    return this.#removed;
  }

  /** Whether a user hid the row. Its file still has it: it can be restored. */
  isRemoved(id: number): boolean {
    return isInRanges(this.#removed, id);
  }

  isPinned(id: number): boolean {
    return this.#marks.get(id)?.pinned ?? false;
  }

  /** Of a row without a mark, an empty one, which a form can begin with. */
  markOf(id: number): UserMark {
    return this.#marks.get(id) ?? NO_MARK;
  }

  /** The colour that a user gave the row; null: none. */
  colourOf(id: number): UserMark['colour'] {
    return this.#marks.get(id)?.colour ?? null;
  }
}

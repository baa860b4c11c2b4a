/** Several selected rows. It counts as long as `focus` is the window's `selected` row: any other selection ends it. */
export interface RowSelection {
  /** The row of the inspector; the arrow keys move it. */
  focus: number;
  /** The row at the other end of a range. */
  anchor: number;
  ids: ReadonlySet<number>;
}

interface Selected {
  selected: number | null;
  selection: RowSelection | null;
}

/** Null: one row is selected at most. Returns the same object for the same state. */
export function manySelected({ selected, selection }: Selected): RowSelection | null {
  return selection !== null && selection.focus === selected && selection.ids.size > 1 ? selection : null;
}

/** How many rows are selected. */
export function selectedCount(state: Selected): number {
  return manySelected(state)?.ids.size ?? (state.selected === null ? 0 : 1);
}

/** The selected rows; one that a filter hides is among them if it is the only one. */
export function selectedIds(state: Selected): readonly number[] {
  const many = manySelected(state);
  if (many !== null) return [...many.ids];
  return state.selected === null ? [] : [state.selected];
}

/** Selects the rows from the anchor to `to`. `visible`: ids in display order. */
export function extendedTo(state: Selected, visible: readonly number[], to: number): Selected {
  const { selected } = state;
  const anchor = state.selection?.focus === selected && state.selection ? state.selection.anchor : (selected ?? to);
  const from = visible.indexOf(anchor);
  const end = visible.indexOf(to);
  if (from < 0 || end < 0) return { selected: to, selection: null };
  const ids = new Set(visible.slice(Math.min(from, end), Math.max(from, end) + 1));
  return { selected: to, selection: { focus: to, anchor, ids } };
}

/** Adds or removes one row, which becomes the focus. The last row stays selected. */
export function toggled(state: Selected, id: number): Selected {
  const ids = new Set(selectedIds(state));
  if (!ids.delete(id)) ids.add(id);
  if (ids.size === 0) ids.add(id);
  // One of two rows is left: it becomes the focus, wherever the click was.
  const [only = id] = ids;
  if (ids.size === 1) return { selected: only, selection: null };
  return { selected: id, selection: { focus: id, anchor: id, ids } };
}

/** Selects all shown rows; the focus stays if it is among them. */
export function allSelected(state: Selected, visible: readonly number[]): Selected {
  const ids = new Set(visible);
  const focus = state.selected !== null && ids.has(state.selected) ? state.selected : (visible[0] ?? null);
  return { selected: focus, selection: focus === null ? null : { focus, anchor: focus, ids } };
}

/** The first row after all removed ones, or the last one before them; null: none is left. */
export function rowAfter(visible: readonly number[], gone: ReadonlySet<number>): number | null {
  let next: number | null = null;
  for (let at = visible.length - 1; at >= 0; at -= 1) {
    const id = visible[at] ?? 0;
    if (gone.has(id)) break;
    next = id;
  }
  return next ?? visible.filter((id) => !gone.has(id)).at(-1) ?? null;
}

import type { KeyboardEvent } from 'react';
import { allSelected, extendedTo, manySelected, selectedIds } from '../../state/row-selection.ts';
import { type App, useApp } from '../app-context.ts';
import { removeExchanges } from '../edits/edit-actions.ts';

/** Rows per Page Up or Page Down. */
const PAGE = 15;

/**
 * Keys of the list: they move the selection, with Shift they extend it, Ctrl+A selects all shown rows, Enter opens the
 * inspector, Escape goes back to one row and then closes it, Delete removes what is selected.
 */
export function useListKeys(reveal: (index: number) => void): (event: KeyboardEvent) => void {
  const app = useApp();
  const { store, table } = app;
  return (event) => {
    // A header's button has its own keys.
    if (event.target instanceof HTMLButtonElement || event.altKey) return;
    if (event.ctrlKey || event.metaKey) {
      if (event.key.toLowerCase() !== 'a') return;
      store.setState((state) => allSelected(state, table.visible));
      event.preventDefault();
      return;
    }
    const last = table.visible.length - 1;
    const { selected } = store.getState();
    const at = selected === null ? -1 : table.visible.indexOf(selected);
    const moves: Record<string, number> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + PAGE,
      PageUp: at - PAGE,
      Home: 0,
      End: last,
    };
    const wanted = moves[event.key];
    if (event.key === 'Enter') store.setState({ inspecting: selected !== null });
    else if (event.key === 'Delete' && selected !== null) void removeExchanges(app, selectedIds(store.getState()));
    else if (event.key === 'Escape') back(app);
    else if (wanted === undefined || last < 0) return;
    else {
      const index = Math.min(Math.max(wanted, 0), last);
      const to = table.visible[index] ?? 0;
      store.setState((state) =>
        event.shiftKey ? extendedTo(state, table.visible, to) : { selected: to, selection: null },
      );
      reveal(index);
    }
    event.preventDefault();
  };
}

/** From several rows to one, from the inspector to the list. */
function back({ store }: App): void {
  const many = manySelected(store.getState());
  store.setState(many === null ? { inspecting: false } : { selection: null });
}

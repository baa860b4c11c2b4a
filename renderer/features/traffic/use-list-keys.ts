import type { KeyboardEvent } from 'react';
import { useApp } from '../app-context.ts';
import { removeExchange } from '../edits/edit-actions.ts';

/** Rows per Page Up or Page Down. */
const PAGE = 15;

/** Keys of the list: they move the selection, Enter opens the inspector, Escape closes it, Delete removes the row. */
export function useListKeys(reveal: (index: number) => void): (event: KeyboardEvent) => void {
  const app = useApp();
  const { store, table } = app;
  return (event) => {
    // A header's button has its own keys.
    if (event.target instanceof HTMLButtonElement || event.ctrlKey || event.metaKey || event.altKey) return;
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
    else if (event.key === 'Delete' && selected !== null) void removeExchange(app, selected);
    else if (event.key === 'Escape') store.setState({ inspecting: false });
    else if (wanted === undefined || last < 0) return;
    else {
      const index = Math.min(Math.max(wanted, 0), last);
      store.setState({ selected: table.visible[index] ?? null });
      reveal(index);
    }
    event.preventDefault();
  };
}

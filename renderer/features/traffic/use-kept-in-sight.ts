import { useEffect, useRef } from 'react';
import type { WindowState } from '../../state/window-state.ts';
import { useApp, useTableValue, useWindow } from '../app-context.ts';

/** The list arrangement that the user chose. */
function choiceOf({ query, timeWindow, sortKey, descending }: WindowState) {
  return { query, timeWindow, order: `${sortKey} ${descending}` };
}

/**
 * Scrolls the selected row into view after a filter, time window or sort order moved it. With none, another order
 * begins at the top: a user who sorts wants the first rows. New rows don't scroll.
 */
export function useKeptInSight(reveal: (index: number) => void): void {
  const { store, table } = useApp();
  // Counts up when the rows are in their new places, which may be long after the choice.
  const arrangement = useTableValue(({ changes }) => changes.getState().arrangement);
  const last = useRef({ arrangement, choice: choiceOf(store.getState()) });
  useEffect(() => {
    const before = last.current;
    if (before.arrangement === arrangement) return;
    const choice = choiceOf(store.getState());
    last.current = { arrangement, choice };
    const isOther = before.choice.order !== choice.order;
    if (!isOther && before.choice.query === choice.query && before.choice.timeWindow === choice.timeWindow) return;
    const { selected } = store.getState();
    const index = selected === null ? -1 : table.visible.indexOf(selected);
    if (index >= 0) reveal(index);
    else if (isOther && table.visible.length > 0) reveal(0);
  }, [store, table, reveal, arrangement]);
}

/**
 * Scrolls to a new exchange that the user asked for, once its row has arrived. Not if another one is selected by then.
 */
export function useSoughtInSight(reveal: (index: number) => void): void {
  const { store, table } = useApp();
  const sought = useWindow((state) => state.sought);
  const count = useTableValue(({ visible }) => visible.length);
  useEffect(() => {
    if (sought === null || count === 0) return;
    const index = table.visible.indexOf(sought);
    const isSelected = store.getState().selected === sought;
    if (index >= 0 || !isSelected) store.setState({ sought: null });
    if (index >= 0 && isSelected) reveal(index);
  }, [store, table, reveal, sought, count]);
}

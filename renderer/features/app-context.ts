import { createContext, use, useSyncExternalStore } from 'react';
import { InspectorError } from '../../shared/contract/envelope.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { ExchangeTable } from '../state/exchange-table.ts';
import type { HostClock } from '../state/host-clock.ts';
import { showToast, type WindowState, type WindowStore } from '../state/window-state.ts';

/** All that a feature may reach. */
export interface App {
  api: InspectorApi;
  store: WindowStore;
  table: ExchangeTable;
  clock: HostClock;
}

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  const app = use(AppContext);
  if (app === null) throw new Error('A feature was drawn outside the app.');
  return app;
}

/** A part of the window's state; `select` gives a value that stands still while the state does. */
export function useWindow<T>(select: (state: WindowState) => T): T {
  const { store } = useApp();
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}

/** Draws again with each change of the table. */
export function useTable(): ExchangeTable {
  const { table } = useApp();
  useSyncExternalStore(table.changes.subscribe, () => table.changes.getState().version);
  return table;
}

/** A value of the table; draws again only where it is another. */
export function useTableValue<T extends string | number | boolean>(select: (table: ExchangeTable) => T): T {
  const { table } = useApp();
  return useSyncExternalStore(table.changes.subscribe, () => select(table));
}

/** Does something that may fail, and says so where it does. Null: it failed. */
export async function attempt<T>(app: App, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InspectorError)) throw error;
    showToast(app.store, { tone: 'error', code: error.code, message: error.message, link: null });
    return null;
  }
}

import { createContext, use, useSyncExternalStore } from 'react';
import { InspectorError } from '../../shared/contract/envelope.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { ExchangeTable } from '../state/exchange-table.ts';
import type { HostClock } from '../state/host-clock.ts';
import { showToast, type WindowState, type WindowStore } from '../state/window-state.ts';

/** Everything that a feature may use. */
export interface App {
  /** Requests to the host, and its events. */
  api: InspectorApi;
  /** The window's state. */
  store: WindowStore;
  /** The session's rows. They change in place: subscribe with `useTable` or `useTableValue`. */
  table: ExchangeTable;
  /** The host's time, which may differ from the browser's. */
  clock: HostClock;
}

/** Null outside the app: `useApp` reports the mistake there instead of failing on a missing property later. */
export const AppContext = createContext<App | null>(null);

/** The app of this window. Throws outside `AppContext`. */
export function useApp(): App {
  const app = use(AppContext);
  if (app === null) throw new Error('A feature was drawn outside the app.');
  return app;
}

/**
 * A part of the window's state. `select` must return the same value while the state is the same, never a new object:
 * `useSyncExternalStore` compares results with `Object.is` and would render forever.
 */
export function useWindow<T>(select: (state: WindowState) => T): T {
  const { store } = useApp();
  return useSyncExternalStore(store.subscribe, () => select(store.getState()));
}

/** The table; renders again on every change. The table changes in place: its version is what React compares. */
export function useTable(): ExchangeTable {
  const { table } = useApp();
  useSyncExternalStore(table.changes.subscribe, () => table.changes.getState().version);
  return table;
}

/** A value computed from the table; renders again only when the value changes, not with every batch of rows. */
export function useTableValue<T extends string | number | boolean>(select: (table: ExchangeTable) => T): T {
  const { table } = useApp();
  return useSyncExternalStore(table.changes.subscribe, () => select(table));
}

/** Runs a request to the host and shows its error as a toast. Null: it failed. Other errors are bugs and are thrown. */
export async function attempt<T>(app: App, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof InspectorError)) throw error;
    showToast(app.store, { tone: 'error', code: error.code, message: error.message, link: null });
    return null;
  }
}

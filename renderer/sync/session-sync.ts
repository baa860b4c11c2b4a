import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { SessionTables } from '../state/session-tables.ts';
import { logProblem, showSession, type WindowStore } from '../state/window-state.ts';
import { readSession } from './read-pages.ts';

/**
 * Keeps the window's open sessions in step with the host's. The rows of an opened session are read once: nothing is
 * recorded into it. A session that is opened while the window is connected is shown at once, because its user opened
 * it.
 */
export function syncSessions(api: InspectorApi, store: WindowStore, tables: SessionTables): void {
  const failed = (error: unknown) =>
    logProblem(store, error instanceof Error ? error.message : 'The session could not be read.');

  /** The first session is the one that is being recorded, which the feed keeps up to date. Returns the new ids. */
  function take([recorded, ...opened]: readonly SessionInfo[]): string[] {
    tables.keep(new Set(opened.map(({ id }) => id)));
    const added = opened.map(({ id }) => id).filter((id) => !tables.has(id));
    for (const id of added) void readSession(api, tables.add(id)).catch(failed);
    const { shown } = store.getState();
    const named = recorded?.name === undefined ? null : { path: recorded.path, name: recorded.name };
    store.setState({ opened, recordedName: named });
    // The shown session was closed, here or in another window.
    if (shown !== null && !tables.has(shown)) showSession(store, null);
    return added;
  }

  api.on('sessions.changed', ({ sessions }) => {
    const newest = take(sessions).at(-1);
    if (newest !== undefined) showSession(store, newest);
  });
  api.onConnection((connected) => {
    if (connected) void api.request('sessions.list', {}).then(({ sessions }) => take(sessions), failed);
  });
}

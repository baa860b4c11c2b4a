import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import type { SessionTables } from '../state/session-tables.ts';
import { logProblem, type WindowStore } from '../state/window-state.ts';
import { readSession } from './read-pages.ts';

/** Keeps hidden and marked rows in step with the session files, whichever window changed them. */
export function syncEdits(api: InspectorApi, store: WindowStore, tables: SessionTables): void {
  /** The recording's table may have another session by now, with different edits. */
  async function read(session: string): Promise<void> {
    const table = tables.of(tables.has(session) ? session : null);
    if (table.sessionId !== session) return;
    // Restored rows are missing. Rows that the table has cost little: their revision is the same.
    await readSession(api, table);
  }
  api.on('session.edited', ({ session }) => {
    read(session).catch((error: unknown) =>
      logProblem(store, error instanceof Error ? error.message : 'The session could not be read.'),
    );
  });
}

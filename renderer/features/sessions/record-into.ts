import { showSession, showToast } from '../../state/window-state.ts';
import type { App } from '../app-context.ts';

/**
 * Ends the current recording, continues in the session file at this path, and shows it. Rejects with an
 * `InspectorError`.
 */
export async function recordInto({ api, store }: App, path: string): Promise<void> {
  const { notice } = await api.request('sessions.record', { path });
  showSession(store, null);
  if (notice) showToast(store, { tone: 'error', code: null, message: notice, link: null });
}

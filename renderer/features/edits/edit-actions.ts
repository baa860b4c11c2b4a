import { counted } from '../../../shared/format/counts.ts';
import { rangesOf } from '../../../shared/model/edits/id-ranges.ts';
import type { IdRange, SessionEdit, UserMark } from '../../../shared/model/edits/session-edits.ts';
import { rowAfter, selectedIds } from '../../state/row-selection.ts';
import { showToast } from '../../state/window-state.ts';
import { type App, attempt } from '../app-context.ts';

/** Edits a session. The rows follow by the host's event, as in all windows. Rejects with an `InspectorError`. */
async function edit({ api }: App, session: string, change: SessionEdit): Promise<void> {
  await api.request('session.edit', { session, edit: change });
}

/** Hides all rows that the session being recorded has so far, and offers to restore them. */
export async function clearSession(app: App): Promise<void> {
  const { session, shown } = app.store.getState();
  const { table } = app;
  // An opened session is only read; its rows can be removed one by one.
  if (!session || shown !== null || table.size === 0) return;
  const upTo = table.lastId;
  const count = table.size;
  await attempt(app, async () => {
    await edit(app, session.id, { kind: 'clear', upTo });
    // Clearing permanently deletes what was removed before.
    app.store.setState(({ removals }) => ({ removals: removals.filter((each) => each.session !== session.id) }));
    offerUndo(app, session.id, [{ first: 0, last: upTo }], count);
  });
}

/** Entries of one request: more do not fit into a message. */
const AT_ONCE = 5000;

function* parts<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += AT_ONCE) yield list.slice(at, at + AT_ONCE);
}

/** Hides exchanges, and offers to restore them. If they were selected, the next row is. */
export async function removeExchanges(app: App, ids: readonly number[]): Promise<void> {
  const session = app.table.sessionId;
  const next = rowAfter(app.table.visible, new Set(ids));
  const removed: number[] = [];
  await attempt(app, async () => {
    for (const part of parts(ids)) {
      await edit(app, session, { kind: 'remove', ids: part });
      removed.push(...part);
    }
    const gone = new Set(ids);
    const wasSelected = selectedIds(app.store.getState()).some((id) => gone.has(id));
    if (wasSelected) app.store.setState({ selected: next, selection: null });
  });
  // Also after a failure: what was removed until then can be restored.
  if (removed.length > 0) offerUndo(app, session, rangesOf(removed), removed.length);
}

/** Ctrl+Z undoes too. */
function offerUndo(app: App, session: string, ranges: readonly IdRange[], count: number): void {
  app.store.setState(({ removals }) => ({ removals: [...removals, { session, ranges }] }));
  const message = `${counted(count, 'exchange')} removed`;
  const action = { label: 'Undo', run: () => void restore(app, session, ranges) };
  showToast(app.store, { tone: 'done', code: null, message, link: null, action });
}

/** Restores what was removed last in this window and is still removed. */
export async function undoRemoval(app: App): Promise<void> {
  const removal = app.store.getState().removals.at(-1);
  if (removal) await restore(app, removal.session, removal.ranges);
}

/** Restores all that is removed from the shown session, whenever that was: its file keeps it. */
export async function restoreAll(app: App): Promise<void> {
  await restore(app, app.table.sessionId, app.table.edits.removed);
}

async function restore(app: App, session: string, ranges: readonly IdRange[]): Promise<void> {
  // First: a second Ctrl+Z must not restore the same rows while the requests are under way.
  app.store.setState(({ removals }) => ({ removals: removals.filter((each) => each.ranges !== ranges) }));
  await attempt(app, async () => {
    for (const part of parts(ranges)) await edit(app, session, { kind: 'restore', ranges: part });
  });
}

/** Replaces an exchange's mark. */
export async function markExchange(app: App, id: number, mark: UserMark): Promise<void> {
  await attempt(app, () => edit(app, app.table.sessionId, { kind: 'mark', ids: [id], mark }));
}

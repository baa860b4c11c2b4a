import type { IdRange, SessionEdit, UserMark } from '../../../shared/model/edits/session-edits.ts';
import { showToast } from '../../state/window-state.ts';
import { type App, attempt } from '../app-context.ts';

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
    offerUndo(app, session.id, [{ first: 0, last: upTo }], count);
  });
}

/** Hides an exchange, and offers to restore it. The next row is selected. */
export async function removeExchange(app: App, id: number): Promise<void> {
  const session = app.table.sessionId;
  const at = app.table.visible.indexOf(id);
  const next = app.table.visible[at + 1] ?? app.table.visible[at - 1] ?? null;
  await attempt(app, async () => {
    await edit(app, session, { kind: 'remove', ids: [id] });
    app.store.setState(({ selected }) => (selected === id ? { selected: next } : {}));
    offerUndo(app, session, [{ first: id, last: id }], 1);
  });
}

function offerUndo(app: App, session: string, ranges: readonly IdRange[], count: number): void {
  app.store.setState({ removal: { session, ranges } });
  const message = `${count.toLocaleString('en')} ${count === 1 ? 'exchange' : 'exchanges'} removed`;
  const action = { label: 'Undo', run: () => void restore(app, session, ranges) };
  showToast(app.store, { tone: 'done', code: null, message, link: null, action });
}

/** Restores what was removed last. */
export async function undoRemoval(app: App): Promise<void> {
  const { removal } = app.store.getState();
  if (removal) await restore(app, removal.session, removal.ranges);
}

async function restore(app: App, session: string, ranges: readonly IdRange[]): Promise<void> {
  app.store.setState({ removal: null });
  await attempt(app, () => edit(app, session, { kind: 'restore', ranges: [...ranges] }));
}

/** Replaces an exchange's mark. */
export async function markExchange(app: App, id: number, mark: UserMark): Promise<void> {
  await attempt(app, () => edit(app, app.table.sessionId, { kind: 'mark', ids: [id], mark }));
}

import { InspectorError } from '../../../shared/contract/envelope.ts';
import { type ComparisonView, showSession } from '../../state/window-state.ts';
import type { App } from '../app-context.ts';

/** Compares the session opened first with the one that the window shows, or with the recording. */
export function openComparison(app: App): void {
  const { comparison, opened, shown, session } = app.store.getState();
  if (comparison) {
    app.store.setState({ comparison: { ...comparison, shown: true } });
    return;
  }
  const before = opened[0]?.id;
  const after = shown === null || shown === before ? session?.id : shown;
  if (before && after) void compareSessions(app, before, after);
}

/**
 * Compares two sessions by their ids; `after` is the later one. A failure is shown in place of the result: with only a
 * toast, the view would stay empty.
 */
export async function compareSessions({ api, store }: App, before: string, after: string): Promise<void> {
  const comparison: ComparisonView = { before, after, shown: true, result: null, problem: null };
  store.setState({ comparison });
  const finish = (found: Partial<ComparisonView>) => {
    const now = store.getState().comparison;
    // Other sessions were chosen meanwhile.
    if (now?.before === before && now.after === after) store.setState({ comparison: { ...now, ...found } });
  };
  try {
    const ignored = store.getState().settings.compareIgnored;
    finish({ result: await api.request('sessions.compare', { session: before, other: after, ignored }) });
  } catch (error) {
    if (!(error instanceof InspectorError)) throw error;
    finish({ problem: error.message });
  }
}

/** Shows one exchange of a compared session. */
export function showExchange(app: App, session: string, id: number): void {
  show(app, session);
  app.store.setState({ selected: id, inspecting: true });
}

/** Shows the later exchange of a pair, compared with the earlier one. */
export function showPair(app: App, view: ComparisonView, before: number, after: number): void {
  showExchange(app, view.after, after);
  app.store.setState({ tab: 'Compare', compareWith: { session: view.before, id: before } });
}

/** Shows the exchanges of a compared session that match a filter. */
export function showMatching(app: App, session: string, query: string): void {
  show(app, session);
  app.store.setState({ query });
}

/** Any session that is not an opened one is the recording, which the window calls null. */
function show({ store }: App, session: string): void {
  const isOpened = store.getState().opened.some(({ id }) => id === session);
  showSession(store, isOpened ? session : null);
}

import { InspectorError } from '../../shared/contract/envelope.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { compileSearch } from '../../shared/filter/search.ts';
import type { SessionTables } from '../state/session-tables.ts';
import type { SearchState, WindowStore } from '../state/window-state.ts';

/**
 * Milliseconds without a keystroke before a search begins. Half of the 300 ms in which the first hits appear; another
 * keystroke stops a search within 100 ms.
 */
const PAUSE = 150;

/** Numbers of searches in this window, which distinguish the current search's progress from an earlier one's. */
let searches = 0;

/** Searches the content of a session, in place of the previous search. Results go into the window's state. */
export async function runSearch(api: InspectorApi, store: WindowStore, session: string, query: string): Promise<void> {
  searches += 1;
  const id = searches;
  const begun = { id, session, query, found: new Set<number>(), searched: 0, total: 0, running: true, problem: null };
  store.setState({ search: begun });
  const finish = (end: Partial<SearchState>) =>
    store.setState(({ search }) => ({ search: search?.id === id ? { ...search, running: false, ...end } : search }));
  try {
    await api.request('search.start', { session, query, search: id });
    finish({});
  } catch (error) {
    if (!(error instanceof InspectorError)) throw error;
    finish({ problem: error.message });
  }
}

/** Searches recorded content whenever the window's query asks for it, in the session that the window shows. */
export function keepSearched(api: InspectorApi, store: WindowStore, tables: SessionTables): void {
  let pause: ReturnType<typeof setTimeout> | undefined;

  /** Runs for each change of what could be searched. A search for the same text in the same session continues. */
  function look(): void {
    clearTimeout(pause);
    const { query, shown, search } = store.getState();
    const asked = compileSearch(query);
    if (!asked.ok) return;
    const session = tables.of(shown).sessionId;
    const wanted = !asked.search.rowsOnly && session !== '';
    if (wanted && search?.query === query && search.session === session) return;
    if (search?.running) void api.request('search.stop', {}).catch(() => null);
    if (wanted) pause = setTimeout(() => void runSearch(api, store, session, query), PAUSE);
    else if (search) store.setState({ search: null });
  }

  store.subscribe((now, before) => {
    if (now.query !== before.query || now.shown !== before.shown || now.session?.id !== before.session?.id) look();
  });
  api.on('search.progress', ({ search: id, found, searched, total }) => {
    const { search } = store.getState();
    if (search?.id !== id) return;
    // Tables are arranged again with each progress: copying the set as well would double what that costs.
    for (const each of found) search.found.add(each);
    store.setState({ search: { ...search, searched, total } });
  });
}

import { useEffect, useRef, useState } from 'react';
import type { RemovedSession } from '../../../shared/model/session/session-entry.ts';
import { showToast } from '../../state/window-state.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';
import { sessionsTotal } from './pruning.ts';

/** The sessions that the host deleted as it started; none until it has answered. */
export function usePruned(): readonly RemovedSession[] {
  const app = useApp();
  const connected = useWindow((state) => state.connected);
  const [pruned, setPruned] = useState<readonly RemovedSession[]>([]);
  useEffect(() => {
    if (!connected) return;
    void attempt(app, () => app.api.request('sessions.pruned', {})).then((reply) => reply && setPruned(reply.sessions));
  }, [app, connected]);
  return pruned;
}

/** Reports once what the host deleted as it started. */
export function usePruningReport(): void {
  const { store } = useApp();
  const pruned = usePruned();
  const told = useRef(false);
  useEffect(() => {
    if (pruned.length === 0 || told.current) return;
    told.current = true;
    const message = `Deleted ${sessionsTotal(pruned)} at startup, as configured.`;
    const action = { label: 'Show', run: () => store.setState({ panel: 'sessions' }) };
    showToast(store, { tone: 'done', code: null, message, link: null, action });
  }, [store, pruned]);
}

import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';

/**
 * The browsers and terminals that this machine can start, and the setup recipes. Detection runs when a component that
 * needs it mounts, not at startup. Null until the host has replied; empty lists if the request failed.
 */
export function useLaunchers(): OutputOf<'launchers.list'> | null {
  const app = useApp();
  // The recipes contain the proxy address: they are read again when it changes. Null: not connected to the host.
  const asked = useWindow((state) => (state.connected ? (state.engine?.proxyUrl ?? '') : null));
  const [found, setFound] = useState<OutputOf<'launchers.list'> | null>(null);
  useEffect(() => {
    if (asked === null) return;
    const nothing = { launchers: [], recipes: [] };
    void attempt(app, () => app.api.request('launchers.list', {})).then((list) => setFound(list ?? nothing));
  }, [app, asked]);
  return found;
}

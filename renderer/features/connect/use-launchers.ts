import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';

/** What this machine can start towards the proxy, looked for when first shown; null until it was. */
export function useLaunchers(): OutputOf<'launchers.list'> | null {
  const app = useApp();
  // The recipes name the proxy's address: another address, other recipes. Null: there is nobody to ask.
  const asked = useWindow((state) => (state.connected ? (state.engine?.proxyUrl ?? '') : null));
  const [found, setFound] = useState<OutputOf<'launchers.list'> | null>(null);
  useEffect(() => {
    if (asked === null) return;
    const nothing = { launchers: [], recipes: [] };
    void attempt(app, () => app.api.request('launchers.list', {})).then((list) => setFound(list ?? nothing));
  }, [app, asked]);
  return found;
}

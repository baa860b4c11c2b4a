import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';

/** What this machine can start towards the proxy, looked for when first shown; null until it was. */
export function useLaunchers(): OutputOf<'launchers.list'> | null {
  const app = useApp();
  const connected = useWindow((state) => state.connected);
  const proxyUrl = useWindow((state) => state.engine?.proxyUrl ?? '');
  const [found, setFound] = useState<OutputOf<'launchers.list'> | null>(null);
  // The recipes name the proxy's address: another address, other recipes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: proxyUrl is what makes it ask again
  useEffect(() => {
    if (!connected) return;
    const nothing = { launchers: [], recipes: [] };
    void attempt(app, () => app.api.request('launchers.list', {})).then((list) => setFound(list ?? nothing));
  }, [app, connected, proxyUrl]);
  return found;
}

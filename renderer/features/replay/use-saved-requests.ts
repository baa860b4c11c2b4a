import { useEffect, useState } from 'react';
import type { SavedRequestState, SavedRequests } from '../../../shared/model/replay/saved-requests.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';

interface Saved {
  /** Null until the host has answered. */
  state: SavedRequestState | null;
  /** Replaces all; false if the host refused, after a toast. */
  update: (saved: SavedRequests) => Promise<boolean>;
}

/** The saved requests, read when the dialog opens and again after each reconnect. */
export function useSavedRequests(): Saved {
  const app = useApp();
  const connected = useWindow((state) => state.connected);
  const [state, setState] = useState<SavedRequestState | null>(null);
  useEffect(() => {
    let wanted = true;
    if (!connected) return undefined;
    void attempt(app, () => app.api.request('requests.get', {})).then((read) => {
      if (wanted && read) setState(read);
    });
    return () => {
      wanted = false;
    };
  }, [app, connected]);
  const update = async (saved: SavedRequests) => {
    const written = await attempt(app, () => app.api.request('requests.update', { saved }));
    // A refusal may mean that another program changed the file: its content is shown.
    const now = written ?? (await attempt(app, () => app.api.request('requests.get', {})));
    if (now) setState(now);
    return written !== null;
  };
  return { state, update };
}

import { useEffect, useState } from 'react';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { attempt, useApp, useWindow } from '../../app-context.ts';

/** The exchange that others are compared with, or null: none was chosen, or it is not read yet. */
export function useOtherExchange(): { session: string; exchange: Exchange } | null {
  const app = useApp();
  const compareWith = useWindow((state) => state.compareWith);
  const [read, setRead] = useState<{ session: string; exchange: Exchange } | null>(null);
  useEffect(() => {
    if (compareWith === null) return;
    let wanted = true;
    void attempt(app, () => app.api.request('exchanges.get', compareWith)).then((exchange) => {
      if (wanted && exchange) setRead({ session: compareWith.session, exchange });
      // Its session was closed or cleared.
      else if (wanted) app.store.setState({ compareWith: null });
    });
    return () => {
      wanted = false;
    };
  }, [app, compareWith]);
  return read?.exchange.id === compareWith?.id && read?.session === compareWith?.session ? read : null;
}

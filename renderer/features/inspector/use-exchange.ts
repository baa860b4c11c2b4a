import { useEffect, useState } from 'react';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { attempt, useApp, useTableValue } from '../app-context.ts';

/**
 * The exchange with this id, read again whenever its row's revision changes; null until it was read. While a newer
 * revision is being read the older one stays: the inspector does not flicker.
 */
export function useExchange(id: number): Exchange | null {
  const app = useApp();
  const revision = useTableValue((table) => Math.max(table.revision(id), 0));
  const [read, setRead] = useState<{ revision: number; exchange: Exchange } | null>(null);
  useEffect(() => {
    let wanted = true;
    // A new request may be selected before its row has come.
    if (revision === 0) return undefined;
    void attempt(app, () => app.api.request('exchanges.get', { session: app.table.sessionId, id })).then((exchange) => {
      if (wanted && exchange) setRead({ revision, exchange });
    });
    return () => {
      wanted = false;
    };
  }, [app, id, revision]);
  return read?.exchange.id === id ? read.exchange : null;
}

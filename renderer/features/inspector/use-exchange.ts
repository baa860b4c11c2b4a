import { useEffect, useState } from 'react';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { attempt, useApp, useTable } from '../app-context.ts';

/** The whole exchange, read again whenever its row has changed; null while it is being read. */
export function useExchange(id: number): Exchange | null {
  const app = useApp();
  const revision = useTable().row(id)?.revision ?? 0;
  const [exchange, setExchange] = useState<Exchange | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new revision is what it is read again for
  useEffect(() => {
    let wanted = true;
    void attempt(app, () => app.api.request('exchanges.get', { id })).then((read) => {
      if (wanted && read) setExchange(read);
    });
    return () => {
      wanted = false;
    };
  }, [app, id, revision]);
  return exchange?.id === id ? exchange : null;
}

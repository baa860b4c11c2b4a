import { useEffect, useState } from 'react';
import { InspectorError } from '../../../shared/contract/envelope.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import type { ReplayOf } from '../../../shared/model/replay/replay-of.ts';
import { useApp, useWindow } from '../app-context.ts';

/** The original of a resent exchange; null while it is read, `gone` if no open session has it. */
export function useOriginal({ session, exchange }: ReplayOf): Exchange | 'gone' | null {
  const { api } = useApp();
  // Read again after a reconnect: the request may have been lost with the connection.
  const connected = useWindow((state) => state.connected);
  const [read, setRead] = useState<{ id: number; found: Exchange | 'gone' } | null>(null);
  useEffect(() => {
    let wanted = true;
    if (!connected) return undefined;
    api.request('exchanges.get', { session, id: exchange }).then(
      (found) => wanted && setRead({ id: exchange, found }),
      (error: unknown) => {
        if (!(error instanceof InspectorError)) throw error;
        if (wanted) setRead({ id: exchange, found: 'gone' });
      },
    );
    return () => {
      wanted = false;
    };
  }, [api, session, exchange, connected]);
  return read?.id === exchange ? read.found : null;
}

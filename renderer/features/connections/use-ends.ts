import { useEffect, useState } from 'react';
import { InspectorError } from '../../../shared/contract/envelope.ts';
import type { InspectorApi } from '../../../shared/contract/inspector-api.ts';
import type { EndedConnection } from '../../../shared/model/insight/connection-end.ts';
import { useApp } from '../app-context.ts';

/** By the connection's id. */
export type Ends = ReadonlyMap<number, EndedConnection>;

/**
 * Milliseconds between two looks, at least; and how many times as long as the last one took. Connections end without a
 * change of any row.
 */
const PACE = 5000;
const SHARE = 50;

/** Reads page after page until there are no more. Rejects with an `InspectorError`. */
async function endsOf(api: InspectorApi, session: string): Promise<Ends> {
  const ends = new Map<number, EndedConnection>();
  for (let after = 0, more = true; more; ) {
    const answer = await api.request('connections.ends', { session, after });
    for (const end of answer.ends) ends.set(end.connection, end);
    after = answer.ends.at(-1)?.connection ?? after;
    more = answer.more;
  }
  return ends;
}

/**
 * How the connections of the shown session ended. Each look begins a pause after the last one ended: a slow host never
 * has two of them at once.
 */
export function useEnds(): Ends {
  const { api, table } = useApp();
  const [ends, setEnds] = useState<Ends>(new Map());
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current = true;
    let known = '';
    const look = async () => {
      const began = performance.now();
      try {
        const session = table.sessionId;
        const found = await endsOf(api, session);
        // No connection ends twice: as many ends are the same ends, and drawing them again would disturb scrolling.
        const now = `${session} ${found.size}`;
        if (current && now !== known) setEnds(found);
        known = now;
      } catch (error) {
        // Cleared, closed or disconnected meanwhile: the next look finds out.
        if (!(error instanceof InspectorError)) throw error;
      }
      const pause = Math.max(PACE, (performance.now() - began) * SHARE);
      if (current) timer = setTimeout(() => void look(), pause);
    };
    void look();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [api, table]);
  return ends;
}

import { useEffect, useState } from 'react';
import { InspectorError } from '../../../shared/contract/envelope.ts';
import type { InspectorApi } from '../../../shared/contract/inspector-api.ts';
import type { EndedConnection } from '../../../shared/model/insight/connection-end.ts';
import { useApp } from '../app-context.ts';

/** By the connection's id. */
export type Ends = ReadonlyMap<number, EndedConnection>;

/**
 * The minimum milliseconds between two reads, and how many times the duration of the last one. Connections end without
 * a change in any row.
 */
const PACE = 5000;
const SHARE = 50;

/** Reads page after page until there are no more. Rejects with an `InspectorError`. */
async function endsOf(api: InspectorApi, session: string): Promise<Ends> {
  const ends = new Map<number, EndedConnection>();
  for (let after = 0, more = true; more; ) {
    const reply = await api.request('connections.ends', { session, after });
    for (const end of reply.ends) ends.set(end.connection, end);
    after = reply.ends.at(-1)?.connection ?? after;
    more = reply.more;
  }
  return ends;
}

/**
 * How the connections of the shown session ended. Each read begins a pause after the previous one ended: a slow host
 * never has two at once.
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
        // No connection ends twice: an equal number of ends means the same ends, and redrawing them would disturb
        // scrolling.
        const now = `${session} ${found.size}`;
        if (current && now !== known) setEnds(found);
        known = now;
      } catch (error) {
        // Cleared, closed or disconnected meanwhile: the next read finds out.
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

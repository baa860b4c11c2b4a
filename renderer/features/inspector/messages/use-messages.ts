import { useCallback, useEffect, useRef, useState } from 'react';
import { MESSAGE_PAGE_LIMIT } from '../../../../shared/contract/requests/exchange-requests.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import type { StreamMessage } from '../../../../shared/model/stream-message.ts';
import { attempt, useApp } from '../../app-context.ts';

/** Milliseconds between two reads while the exchange is open and more messages may arrive. */
const LOOK_AGAIN = 1000;

/** The messages that have been read, and how to read more. */
export interface Messages {
  /** Indexed by ordinal; messages that have not been read are missing. */
  rows: readonly (StreamMessage | undefined)[];
  /** Null until the first page was read. */
  total: number | null;
  /** Reads the page with this message unless it has been read. */
  want(ordinal: number): void;
}

/** What state holds of `Messages`: `rows` is a new array with each page, which tells React of a change. */
interface Found {
  rows: (StreamMessage | undefined)[];
  total: number | null;
}

/** The ordinal that a message's page begins with. Pages are aligned: all rows of one ask for the same page. */
function pageOf(ordinal: number): number {
  return Math.floor(ordinal / MESSAGE_PAGE_LIMIT) * MESSAGE_PAGE_LIMIT;
}

/** The messages read so far, and a function that reads the page that begins at an ordinal. */
function useMessagePages(id: number): [Found, (from: number) => Promise<void>] {
  const app = useApp();
  const [found, setFound] = useState<Found>({ rows: [], total: null });
  // Pages being read: every visible row asks for its page, often the same one.
  const reading = useRef(new Set<number>());
  const read = useCallback(
    async (from: number) => {
      if (reading.current.has(from)) return;
      reading.current.add(from);
      const page = await attempt(app, () =>
        app.api.request('messages.page', { session: app.table.sessionId, id, from, limit: MESSAGE_PAGE_LIMIT }),
      );
      reading.current.delete(from);
      if (!page) return;
      setFound((before) => {
        const rows = [...before.rows];
        for (const message of page.messages) rows[message.ordinal] = message;
        return { rows, total: page.total };
      });
    },
    [app, id],
  );
  return [found, read];
}

/** The messages of an exchange, read a page at a time as rows come into view. */
export function useMessages({ id, state }: Exchange): Messages {
  const [found, read] = useMessagePages(id);
  const { rows } = found;
  const last = useRef(0);
  // A ref: the effect below must not restart with every page.
  last.current = rows.length;
  useEffect(() => {
    // The last page is the one that fills up. Its reply also has the total.
    const look = () => void read(pageOf(Math.max(last.current - 1, 0)));
    look();
    if (state !== 'open') return undefined;
    const timer = setInterval(look, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [read, state]);
  const want = useCallback(
    (ordinal: number) => {
      if (!rows[ordinal]) void read(pageOf(ordinal));
    },
    [read, rows],
  );
  return { ...found, want };
}

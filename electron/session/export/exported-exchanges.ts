import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { BatchedBodies } from '../read/batched-bodies.ts';
import { type Choice, ChosenRows } from '../read/chosen-rows.ts';
import { ConnectionCache } from '../read/connection-cache.ts';
import type { SessionReader } from '../read/session-reader.ts';

/** An exchange with the source of its bodies, which must be read before the next exchange is requested. */
export interface ExportedExchange {
  exchange: Exchange;
  bodies: BatchedBodies;
}

/**
 * The chosen exchanges in sequence, without those that start meanwhile. Rejects with the signal's reason, or if
 * the session is cleared.
 */
export async function* exportedExchanges(
  reader: SessionReader,
  choice: Choice,
  onProgress: (written: number, total: number) => void,
  signal: AbortSignal,
): AsyncGenerator<ExportedExchange> {
  const rows = new ChosenRows(reader, choice);
  const counted = await rows.count(signal);
  const session = reader.sessionId();
  const connections = new ConnectionCache();
  let done = 0;
  for (const page of rows.pages(counted.lastId)) {
    // Lets the thread handle other calls, including a cancellation.
    await nextTurn();
    const exchanges = reader.exchanges(page, connections);
    const bodies = new BatchedBodies(reader, exchanges);
    for (const [index, exchange] of exchanges.entries()) {
      signal.throwIfAborted();
      bodies.moveTo(index);
      yield { exchange, bodies };
      done += 1;
      onProgress(done, Math.max(done, counted.count));
    }
    if (reader.sessionId() !== session) throw new Error('the session was cleared during the export');
  }
}

import * as v from 'valibot';
import { type FeedBatch, FeedBatchSchema, type PayloadOf } from '../../shared/contract/events.ts';
import { type ExchangeSummary, summaryOf } from '../../shared/model/exchange-summary.ts';

export interface ReceivedBatch extends Omit<PayloadOf<'feed.batch'>, 'rows'> {
  rows: ExchangeSummary[];
}

/** A batch as a window gets it, with names for its cells. */
export function received(batch: FeedBatch): ReceivedBatch {
  const { rows, ...rest } = v.parse(FeedBatchSchema, batch);
  return { ...rest, rows: rows.map(summaryOf) };
}

import * as v from 'valibot';
import { type FeedBatch, FeedBatchSchema, type PayloadOf } from '../../shared/contract/events.ts';

export type ReceivedBatch = PayloadOf<'feed.batch'>;

/** A batch as a window gets it. */
export function received(batch: FeedBatch): ReceivedBatch {
  return v.parse(FeedBatchSchema, batch);
}

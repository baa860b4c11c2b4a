import * as v from 'valibot';

/** Whole, and small enough to be exact; null: no limit. */
const Limit = (least: number) => v.nullable(v.pipe(v.number(), v.safeInteger(), v.minValue(least)));

/** Which sessions may be deleted. */
export const PruneLimitsSchema = v.strictObject({
  /** Days since the last change. */
  olderThanDays: Limit(0),
  /** Bytes of all sessions together: the oldest are deleted until the rest fits. */
  overBytes: Limit(0),
});
export type PruneLimits = v.InferOutput<typeof PruneLimitsSchema>;

/** As above, for a setting that lasts: it always leaves something. */
export const LastingPruneLimitsSchema = v.strictObject({ olderThanDays: Limit(1), overBytes: Limit(1) });

export const NO_PRUNING: PruneLimits = { olderThanDays: null, overBytes: null };

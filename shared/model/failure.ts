import * as v from 'valibot';

/** The side that failed. */
export const FailureSideSchema = v.picklist(['client', 'upstream', 'upstream-proxy', 'roundtrip']);
export type FailureSide = v.InferOutput<typeof FailureSideSchema>;

/** A failure as it is kept, shown and exported. `code` is stable: scripts may depend on it (docs/failures.md). */
export const FailureSchema = v.object({
  code: v.string(),
  side: FailureSideSchema,
  /** One sentence for people: what happened, with the known names and numbers, and the fix if it is known. */
  message: v.string(),
  /** The system's own error code if there was one: `ECONNREFUSED`, `UNABLE_TO_VERIFY_LEAF_SIGNATURE`. */
  cause: v.nullable(v.string()),
});
export type Failure = v.InferOutput<typeof FailureSchema>;

import * as v from 'valibot';

const Positive = v.pipe(v.number(), v.minValue(0));

/** How far a median may move before a significant change counts. */
export const TimeLimitsSchema = v.strictObject({
  /** Milliseconds. */
  minimumMs: v.optional(Positive, 5),
  /** A share of the baseline: 0.05 is 5 %. */
  minimumShare: v.optional(Positive, 0.05),
});
export type TimeLimits = v.InferOutput<typeof TimeLimitsSchema>;

/** A budget file, JSON or YAML (docs/ci.md, docs/budget.schema.json). */
export const BudgetFileSchema = v.strictObject({
  $schema: v.optional(v.string()),
  /** Expressions, `p95(ttfb) < 300ms where host:api type:json`. */
  budget: v.array(v.string()),
  baseline: v.optional(TimeLimitsSchema),
});

const RESOURCE_TYPES = [
  'document',
  'font',
  'image',
  'media',
  'other',
  'script',
  'stylesheet',
  'third-party',
  'total',
] as const;
const Amounts = v.optional(v.array(v.object({ resourceType: v.picklist(RESOURCE_TYPES), budget: Positive })), []);

/** Lighthouse's `budget.json`: an entry for each kind of page. Sizes are in KiB. */
export const LighthouseBudgetSchema = v.array(
  v.object({
    path: v.optional(v.string()),
    resourceSizes: Amounts,
    resourceCounts: Amounts,
    timings: v.optional(v.array(v.unknown()), []),
  }),
);
export type LighthouseBudget = v.InferOutput<typeof LighthouseBudgetSchema>;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

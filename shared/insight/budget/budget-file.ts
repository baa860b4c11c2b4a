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
const AmountSchema = v.strictObject({ resourceType: v.picklist(RESOURCE_TYPES), budget: Positive });
const Amounts = v.optional(v.array(AmountSchema), []);
const OptionsSchema = v.strictObject({
  /** Hosts that are not third parties: `cdn.test`, or `*.shop.test` for a name and those below it. */
  firstPartyHostnames: v.optional(v.array(v.string())),
});

/** A misspelled key would limit nothing. */
const EntrySchema = v.strictObject({
  path: v.optional(v.string()),
  options: v.optional(OptionsSchema),
  resourceSizes: Amounts,
  resourceCounts: Amounts,
  timings: v.optional(v.array(v.unknown()), []),
});

/** Lighthouse's `budget.json`: an entry for each kind of page. Sizes are in KiB. */
export const LighthouseBudgetSchema = v.array(EntrySchema);
export type LighthouseBudget = v.InferOutput<typeof LighthouseBudgetSchema>;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

const NESTED: ReadonlyMap<string, { entries: object }> = new Map<string, { entries: object }>([
  ['baseline', TimeLimitsSchema],
  ['options', OptionsSchema],
  ['resourceSizes', AmountSchema],
  ['resourceCounts', AmountSchema],
]);

/** The keys of a budget's objects, by the object's own key; the whole file and an entry of Lighthouse's have none. */
export function budgetKeys(isLighthouse: boolean, key: string): string[] {
  const whole = isLighthouse ? EntrySchema : BudgetFileSchema;
  return Object.keys((NESTED.get(key) ?? whole).entries);
}

import * as v from 'valibot';

/**
 * What the lab changes when it replays a page.
 * - `http1`, `http2`: the page as recorded, over that protocol.
 * - `one-host`: HTTP/1.1 with all origins merged into the page's own.
 * - `bundle`: the document, then all other responses in a single one.
 * - `warm-cache`: a second visit that finds every other response in the browser's cache.
 * - `not-modified`: a second visit that revalidates every other response and gets 304.
 * - `no-preflights`: without CORS preflight requests.
 * - `no-keep-alive`: HTTP/1.1 with a connection for each request.
 * - `nagle`: HTTP/1.1 with Nagle's algorithm on the server, which writes head and body separately.
 */
export const LAB_VARIANTS = [
  'http1',
  'http2',
  'one-host',
  'bundle',
  'warm-cache',
  'not-modified',
  'no-preflights',
  'no-keep-alive',
  'nagle',
] as const;
export const LabVariantSchema = v.picklist(LAB_VARIANTS);
export type LabVariant = v.InferOutput<typeof LabVariantSchema>;

/** Variants as the subject of a sentence. */
export const VARIANT_NAMES: Readonly<Record<LabVariant, string>> = {
  http1: 'HTTP/1.1',
  http2: 'HTTP/2',
  'one-host': 'HTTP/1.1 on one host',
  bundle: 'One bundle',
  'warm-cache': 'A warm cache',
  'not-modified': 'Revalidation (304)',
  'no-preflights': 'Avoiding preflights',
  'no-keep-alive': 'HTTP/1.1 without keep-alive',
  nagle: "HTTP/1.1 with Nagle's algorithm",
};

/** What the lab measures. */
export const LabOptionsSchema = v.strictObject({
  /** From 1, in the order of the session. */
  page: v.pipe(v.number(), v.integer(), v.minValue(1)),
  /** The page's document, which identifies it in place of its number: windows number only the latest pages. */
  document: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  variants: v.pipe(v.array(LabVariantSchema), v.minLength(1), v.maxLength(LAB_VARIANTS.length), v.readonly()),
  /** Round-trip times, milliseconds. */
  rtts: v.pipe(
    v.array(v.pipe(v.number(), v.minValue(0), v.maxValue(5000))),
    v.minLength(1),
    v.maxLength(10),
    v.readonly(),
  ),
  /** Megabits per second, each way; 0: no limit. */
  bandwidth: v.pipe(v.number(), v.minValue(0), v.maxValue(100_000)),
  /** Measured loads of each variant at each round-trip time. */
  runs: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
});
export type LabOptions = v.InferOutput<typeof LabOptionsSchema>;

/** The lab's progress. */
export const LabProgressSchema = v.object({
  /** Measured loads so far, and in all. */
  done: v.number(),
  total: v.number(),
  /** The next load; null at the end. */
  next: v.nullable(v.object({ variant: LabVariantSchema, rtt: v.number() })),
});
export type LabProgress = v.InferOutput<typeof LabProgressSchema>;

/** One request of a measured load. Times in milliseconds after the start of the navigation; -1 where unknown. */
export const LabRequestSchema = v.object({
  url: v.string(),
  /** When the browser requested it. */
  start: v.number(),
  /** When its request was sent. */
  sent: v.number(),
  firstByte: v.number(),
  end: v.number(),
  /** Bytes of the response as transferred, head included; 0 from the cache. */
  size: v.number(),
});
export type LabRequest = v.InferOutput<typeof LabRequestSchema>;

/** A median of milliseconds with its 95 % interval. */
export const LabIntervalSchema = v.object({ median: v.number(), low: v.number(), high: v.number() });
export type LabInterval = v.InferOutput<typeof LabIntervalSchema>;

/** The measured loads of one variant at one round-trip time. */
export const LabCellSchema = v.object({
  variant: LabVariantSchema,
  /** Milliseconds. */
  rtt: v.number(),
  /** Milliseconds from the navigation's start to the last response or the load event, one number a run, in order. */
  times: v.array(v.number()),
  time: LabIntervalSchema,
  /** Mean time to first byte of a request, milliseconds; the median over the runs. */
  ttfb: v.number(),
  /** Requests that arrived, connections, preflights: the medians over the runs. */
  requests: v.number(),
  connections: v.number(),
  preflights: v.number(),
  /** Requests that the recording could not answer, in the run with the most. */
  unanswered: v.number(),
  /** The requests of the run whose time is nearest to the median. */
  waterfall: v.array(LabRequestSchema),
});
export type LabCell = v.InferOutput<typeof LabCellSchema>;

/** Fewer runs give no meaningful interval. */
export const FEWEST_LAB_RUNS = 5;

/** `137 to 170`, in milliseconds; `-` with too few runs. */
export function intervalWords({ time: { low, high }, times }: Pick<LabCell, 'time' | 'times'>): string {
  return times.length < FEWEST_LAB_RUNS ? '-' : `${Math.round(low)} to ${Math.round(high)}`;
}

/** A variant compared with the baseline at one round-trip time. */
export const LabSavingSchema = v.object({
  variant: LabVariantSchema,
  baseline: LabVariantSchema,
  rtt: v.number(),
  /** Milliseconds saved; negative where the variant is slower. */
  saved: LabIntervalSchema,
  /** `HTTP/2 would save 310 ms (280 to 345) at 100 ms`. */
  sentence: v.string(),
});
export type LabSaving = v.InferOutput<typeof LabSavingSchema>;

export const LabResultSchema = v.object({
  page: v.object({
    /** From 1, in the order of the session. */
    number: v.number(),
    url: v.string(),
    /** Milliseconds since the Unix epoch. */
    startedAt: v.number(),
    /** Responses in the recording. */
    responses: v.number(),
    origins: v.number(),
  }),
  browser: v.string(),
  /** Megabits per second, each way; 0: no limit. */
  bandwidth: v.number(),
  runs: v.number(),
  cells: v.array(LabCellSchema),
  savings: v.array(LabSavingSchema),
  /** What was not replayed, or not as recorded, one sentence each. */
  notes: v.array(v.string()),
});
export type LabResult = v.InferOutput<typeof LabResultSchema>;

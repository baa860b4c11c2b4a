import * as v from 'valibot';
import { ReplayRouteSchema } from './replay-of.ts';

/** The longest body that a window can send as text, characters: a window's message has a limit. */
export const COMPOSED_BODY_LIMIT = 160 * 1024;

const PartName = v.pipe(v.string(), v.maxLength(1024));
const Path = v.pipe(v.string(), v.maxLength(4096));

/** One field of a form (RFC 7578). `type`: its media type; null: none is named. */
const FormPartSchema = v.variant('kind', [
  v.strictObject({
    kind: v.literal('text'),
    name: PartName,
    text: v.pipe(v.string(), v.maxLength(COMPOSED_BODY_LIMIT)),
    type: v.nullable(PartName),
  }),
  /** `path`: as for a whole file below. `fileName`: the name in the form; null: none. */
  v.strictObject({
    kind: v.literal('file'),
    name: PartName,
    path: Path,
    fileName: v.nullable(PartName),
    type: v.nullable(PartName),
  }),
]);
export type FormPart = v.InferOutput<typeof FormPartSchema>;

export const ComposedBodySchema = v.variant('kind', [
  v.strictObject({ kind: v.literal('none') }),
  /** Sent as UTF-8. */
  v.strictObject({ kind: v.literal('text'), text: v.pipe(v.string(), v.maxLength(COMPOSED_BODY_LIMIT)) }),
  /** The bytes of the edited exchange's request body, as they were recorded. */
  v.strictObject({ kind: v.literal('recorded') }),
  /** multipart/form-data. Content-Type gets its boundary. */
  v.strictObject({ kind: v.literal('form'), parts: v.pipe(v.array(FormPartSchema), v.maxLength(200)) }),
  /**
   * A file of the host's machine, which is read as the request is sent. A relative path begins in the folder in which
   * Roundtrip was started; `~/` stands for the home folder.
   */
  v.strictObject({ kind: v.literal('file'), path: Path }),
]);
export type ComposedBody = v.InferOutput<typeof ComposedBodySchema>;

/**
 * - `as-before`: that of the edited exchange; without one, what ALPN chooses.
 * - `http/1.1` and `h2`: only that one.
 */
const ComposedProtocolSchema = v.picklist(['as-before', 'http/1.1', 'h2']);

/** A request as a user writes it. */
export const ComposedRequestSchema = v.strictObject({
  method: v.pipe(v.string(), v.maxLength(64)),
  /** Absolute, `http` or `https`. */
  url: v.pipe(v.string(), v.maxLength(32 * 1024)),
  /**
   * Name and value, in the order in which they are sent, without pseudo-header fields. Host is added where it is
   * missing, and Content-Length follows the body.
   */
  headers: v.pipe(
    v.array(v.strictTuple([v.pipe(v.string(), v.maxLength(1024)), v.pipe(v.string(), v.maxLength(32 * 1024))])),
    v.maxLength(500),
  ),
  body: ComposedBodySchema,
  protocol: ComposedProtocolSchema,
  /** Whether rules apply to it. */
  rules: v.boolean(),
  route: ReplayRouteSchema,
  /** Whether redirects are followed, each as its own exchange. */
  redirects: v.boolean(),
  /** Whether `{{name}}` stands for a variable, in the URL, the headers and the body. */
  variables: v.boolean(),
});
export type ComposedRequest = v.InferOutput<typeof ComposedRequestSchema>;

/** The limit of a repetition, and the most requests under way at a time. */
export const MOST_TIMES = 100_000;
export const MOST_PARALLEL = 256;
/** Milliseconds. */
const LONGEST_PAUSE = 3_600_000;

const count = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most));
const pause = v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_PAUSE));

/** How a request is sent repeatedly. `pause` and `jitter`: milliseconds. */
export const RepeatPaceSchema = v.strictObject({
  times: count(MOST_TIMES),
  parallel: count(MOST_PARALLEL),
  pause,
  /** Each pause is longer or shorter by up to this much, at random. */
  jitter: pause,
});
export type RepeatPace = v.InferOutput<typeof RepeatPaceSchema>;

/** One request of a repetition, when it has ended. */
export const RepeatResultSchema = v.object({
  /** Its exchange in the recorded session; 0: it could not be sent. */
  exchange: v.number(),
  /** 0: no response. */
  status: v.number(),
  /** Milliseconds, -1 where unknown. */
  ttfb: v.number(),
  /** Milliseconds. */
  total: v.number(),
  /** The failure's code, or null. */
  failure: v.nullable(v.string()),
});
export type RepeatResult = v.InferOutput<typeof RepeatResultSchema>;

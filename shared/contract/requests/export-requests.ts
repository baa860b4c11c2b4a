import * as v from 'valibot';
import { IdRangeSchema } from '../../model/edits/session-edits.ts';
import { ExportFormatSchema } from '../../model/export/export-format.ts';
import { isPattern } from '../../model/export/pattern.ts';
import { RedactionCountSchema } from '../../model/export/redaction-count.ts';
import { SavedFileSchema } from '../saved-file.ts';
import { Nothing, Session } from './request-parts.ts';

/** The most ranges of ids in one request: more do not fit into a message. */
export const EXPORT_RANGES_LIMIT = 5000;
/** The most lines of a preview. */
export const PREVIEW_LIMIT = 100;

/** Regular expressions of JavaScript; each match is a secret. */
const Patterns = v.pipe(
  v.array(v.pipe(v.string(), v.maxLength(1000), v.check(isPattern, 'is not a regular expression'))),
  v.maxLength(20),
);

/** Ascending and without overlap. */
const Ids = v.pipe(v.array(IdRangeSchema), v.maxLength(EXPORT_RANGES_LIMIT));

const Choice = {
  session: Session,
  /** A query of shared/filter, without fields for content; empty: everything. */
  query: v.pipe(v.string(), v.maxLength(10_000)),
  /** Milliseconds since the Unix epoch: only exchanges that started within, or null. */
  window: v.nullable(v.strictObject({ from: v.number(), to: v.number() })),
  /** Only exchanges with these ids, after those of `export.ids`; null: any. */
  ids: v.nullable(Ids),
  patterns: Patterns,
};

const HarSelection = v.strictObject({
  session: Session,
  /** A query of shared/filter; empty: everything. */
  query: v.string(),
  /** Milliseconds since the Unix epoch: only exchanges that started within, or null. */
  window: v.nullable(v.strictObject({ from: v.number(), to: v.number() })),
  /** Leaves out cookies, authorization and the values of fields with secret names. */
  redact: v.boolean(),
});

/** Requests about exports: of a session, or of a part of it. */
export const EXPORT_REQUESTS = {
  /**
   * Ids that do not fit into the window's next export or preview, which begins with them if its `ids` is not null.
   * Further calls add to them.
   */
  'export.ids': { input: v.strictObject({ ids: Ids }), output: Nothing },
  /**
   * Writes exchanges to a file; `har.progress` reports its progress, and `har.cancel` ends it. `redact`: replaces
   * cookies, authorization, the values of fields with secret names, what `patterns` match, and the same values
   * elsewhere. Rejects with `har.busy`, `export.failed` or `har.write-failed`.
   */
  'session.export': {
    input: v.strictObject({ ...Choice, format: ExportFormatSchema, redact: v.boolean() }),
    output: SavedFileSchema,
  },
  /**
   * What redaction would replace in an export of these exchanges, without the values: at most PREVIEW_LIMIT lines, the
   * most frequent first. `lines`: how many there are. Ends the window's preview before; `stopped`: another preview or
   * `export.stop-preview` ended this one.
   */
  'export.preview': {
    input: v.strictObject({ ...Choice, format: ExportFormatSchema }),
    output: v.object({
      stopped: v.boolean(),
      exchanges: v.number(),
      replaced: v.array(RedactionCountSchema),
      lines: v.number(),
    }),
  },
  'export.stop-preview': { input: Nothing, output: Nothing },
  /** `session.export` of a HAR. */
  'har.export': { input: HarSelection, output: SavedFileSchema },
  /** Ends this window's export in any format. */
  'har.cancel': { input: Nothing, output: Nothing },
} as const;

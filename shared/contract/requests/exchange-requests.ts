import * as v from 'valibot';
import { ExchangeSchema } from '../../model/exchange.ts';
import { ExchangeSummarySchema } from '../../model/exchange-summary.ts';
import { StreamMessageSchema } from '../../model/stream-message.ts';
import { ColumnsTextSchema, columnsIn } from '../row-columns.ts';
import { SavedFileSchema } from '../saved-file.ts';
import { Count, Session } from './request-parts.ts';

/** The longest range of a body that one request may ask for, bytes. */
export const BODY_RANGE_LIMIT = 1024 * 1024;

/** The most messages that one request may ask for. */
export const MESSAGE_PAGE_LIMIT = 500;

/** The most rows of the list that one request may ask for. */
export const PAGE_LIMIT = 5000;

export const BodyRangeSchema = v.object({
  /** The requested bytes, base64; fewer than requested at the end of the body. */
  data: v.string(),
  /** Bytes that can be read in this form; for `decoded`, the bytes decoded so far, at most the host's cap. */
  size: v.number(),
  /** True if `size` is the whole body; false if the body was cut short, not kept whole, or over the decoder's cap. */
  complete: v.boolean(),
  /** The content codings undone, outermost first: `['br']`. */
  codings: v.array(v.string()),
  /** Why decoding failed, one sentence; null if it succeeded. The raw form can still be read. */
  problem: v.nullable(v.string()),
});
export type BodyRange = v.InferOutput<typeof BodyRangeSchema>;

/** `columns`: as `columnsText` makes it. `badRows`: damaged rows of the file, which were left out. */
export const RowPageSchema = v.pipe(
  v.object({
    columns: ColumnsTextSchema,
    count: v.pipe(Count, v.maxValue(PAGE_LIMIT)),
    last: v.number(),
    more: v.boolean(),
    badRows: v.number(),
  }),
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const { columns: sent, ...page } = dataset.value;
    const columns = columnsIn(sent, page.count);
    if (columns !== null) return { ...page, columns };
    addIssue({ message: 'These are not the columns of a page.' });
    return NEVER;
  }),
);
/** The form in which a host sends it. */
export type RowPage = v.InferInput<typeof RowPageSchema>;

/** Requests about recorded exchanges: rows, details, bodies and messages. */
export const EXCHANGE_REQUESTS = {
  /** Rows with an id above `after`, ascending. `badRows`: damaged rows of the file, which were left out. */
  'exchanges.page': {
    input: v.strictObject({
      session: Session,
      after: Count,
      limit: v.pipe(Count, v.minValue(1), v.maxValue(PAGE_LIMIT)),
    }),
    output: v.object({ rows: v.array(ExchangeSummarySchema), more: v.boolean(), badRows: Count }),
  },
  /**
   * Pages for windows, which read 100,000 rows and more: as columns, which take half the bytes of rows and a quarter of
   * the time to read. The host passes their text on unread. `after`: rows with an id above it, ascending; null: the
   * last rows, with all that was recorded before the request. `last`: the id of the last row of this page; 0: there is
   * none.
   */
  'exchanges.rows': {
    input: v.strictObject({
      session: Session,
      after: v.nullable(Count),
      limit: v.pipe(Count, v.minValue(1), v.maxValue(PAGE_LIMIT)),
    }),
    output: RowPageSchema,
  },
  /** The last rows, ascending. */
  'exchanges.newest': {
    input: v.strictObject({ session: Session, limit: v.pipe(Count, v.minValue(1), v.maxValue(PAGE_LIMIT)) }),
    output: v.object({ rows: v.array(ExchangeSummarySchema) }),
  },
  'exchanges.get': { input: v.strictObject({ session: Session, id: Count }), output: ExchangeSchema },
  'body.read': {
    input: v.strictObject({
      session: Session,
      id: Count,
      /** `sent`, `received`: empty unless that body is `own`. */
      side: v.picklist(['request', 'response', 'sent', 'received']),
      /** `decoded`: content codings undone. `raw`: as received. */
      form: v.picklist(['decoded', 'raw']),
      offset: Count,
      length: v.pipe(Count, v.minValue(1), v.maxValue(BODY_RANGE_LIMIT)),
    }),
    output: BodyRangeSchema,
  },
  /** Saves a body to a file, as much of it as was kept. */
  'body.save': {
    input: v.strictObject({
      session: Session,
      id: Count,
      side: v.picklist(['request', 'response']),
      form: v.picklist(['decoded', 'raw']),
    }),
    output: SavedFileSchema,
  },
  /** WebSocket messages and server-sent events, ascending from the ordinal `from` on; `total`: the current count. */
  'messages.page': {
    input: v.strictObject({
      session: Session,
      id: Count,
      from: Count,
      limit: v.pipe(Count, v.minValue(1), v.maxValue(MESSAGE_PAGE_LIMIT)),
    }),
    output: v.object({ messages: v.array(StreamMessageSchema), total: Count }),
  },
  /** One message's payload: its first MB, base64. `complete`: this is the whole payload. */
  'messages.read': {
    input: v.strictObject({ session: Session, id: Count, ordinal: Count }),
    output: v.object({ data: v.string(), size: v.number(), complete: v.boolean(), problem: v.nullable(v.string()) }),
  },
} as const;

import * as v from 'valibot';
import { ProtocolSchema } from './connection.ts';
import { ExchangeKindSchema, ExchangeStateSchema } from './exchange.ts';
import { TimingsSchema } from './timings.ts';

/** What a row of the list needs: all that the window keeps of an exchange, so that 100,000 of them fit. */
export const ExchangeSummarySchema = v.object({
  id: v.number(),
  revision: v.number(),
  kind: ExchangeKindSchema,
  state: ExchangeStateSchema,
  /** Milliseconds since the Unix epoch, with microseconds as decimals. */
  startedAt: v.number(),
  method: v.string(),
  scheme: v.picklist(['http', 'https']),
  authority: v.string(),
  path: v.string(),
  /** 0 until a response has come. */
  status: v.number(),
  /** What the client spoke. */
  protocol: ProtocolSchema,
  /** The media type without parameters, lower case; empty where unknown. */
  mediaType: v.string(),
  /** Payload bytes on the wire. */
  requestSize: v.number(),
  responseSize: v.number(),
  timings: TimingsSchema,
  /** Milliseconds, -1 where unknown: first byte of the response after the last of the request (TTFB). */
  ttfb: v.number(),
  /** Milliseconds, the sum of the phases so far. */
  total: v.number(),
  /** Milliseconds, -1 where unknown. */
  overhead: v.number(),
  clientConnection: v.number(),
  /** 0: none. */
  upstreamConnection: v.number(),
  attempts: v.number(),
  /** The failure's code, or null. */
  failureCode: v.nullable(v.string()),
});
export type ExchangeSummary = v.InferOutput<typeof ExchangeSummarySchema>;

/** The media type of a Content-Type value: parameters dropped, lower case. */
export function mediaTypeOf(contentType: string | undefined): string {
  if (contentType === undefined) return '';
  const end = contentType.indexOf(';');
  return (end < 0 ? contentType : contentType.slice(0, end)).trim().toLowerCase();
}

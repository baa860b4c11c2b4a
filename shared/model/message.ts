import * as v from 'valibot';
import { RawHeadersSchema } from './headers.ts';

/** How much of a body is in the session file. */
export const BodyInfoSchema = v.object({
  /** Payload bytes on the wire: framing left out, content codings as they came. -1: unknown, in an imported session. */
  size: v.number(),
  /** Bytes of it that the session file holds. Below `size` where recording was off or the disk could not keep up. */
  stored: v.number(),
  /** Whether the last byte arrived: false for a body cut short, or still on its way. */
  complete: v.boolean(),
  /** True if the file holds the decoded bytes, because an imported file has no others. */
  decoded: v.optional(v.boolean()),
  /** True for `sent` or `received` of an exchange whose body a rule edited: that version is recorded too. */
  own: v.optional(v.boolean()),
});
export type BodyInfo = v.InferOutput<typeof BodyInfoSchema>;

export const NO_BODY: BodyInfo = { size: 0, stored: 0, complete: true };

export const RequestMessageSchema = v.object({
  method: v.string(),
  scheme: v.picklist(['http', 'https']),
  /** `host:port` as the client gave it, the scheme's own port left out. */
  authority: v.string(),
  host: v.string(),
  port: v.number(),
  /** The target as the client sent it, raw: `/a//b?c`, `*`; for CONNECT the authority. */
  path: v.string(),
  /** `HTTP/1.0`, `HTTP/1.1`, `HTTP/2.0`. */
  httpVersion: v.string(),
  headers: RawHeadersSchema,
  trailers: RawHeadersSchema,
  /** Bytes of the head on the wire (h1), or as HTTP/1.1 would write it (h2). -1: unknown, in an imported session. */
  headSize: v.number(),
  body: BodyInfoSchema,
});
export type RequestMessage = v.InferOutput<typeof RequestMessageSchema>;

export const InformationalMessageSchema = v.object({
  status: v.number(),
  statusText: v.string(),
  headers: RawHeadersSchema,
});
export type InformationalMessage = v.InferOutput<typeof InformationalMessageSchema>;

export const ResponseMessageSchema = v.object({
  status: v.number(),
  /** The reason phrase as sent; empty on h2. */
  statusText: v.string(),
  httpVersion: v.string(),
  headers: RawHeadersSchema,
  trailers: RawHeadersSchema,
  headSize: v.number(),
  body: BodyInfoSchema,
  /** Earlier 1xx responses, in order; a 101 is the response itself. */
  informational: v.array(InformationalMessageSchema),
});
export type ResponseMessage = v.InferOutput<typeof ResponseMessageSchema>;

import * as v from 'valibot';

/** Requests and bytes (of bodies, on the wire) of one kind. */
export const PageShareSchema = v.object({ name: v.string(), requests: v.number(), bytes: v.number() });
export type PageShare = v.InferOutput<typeof PageShareSchema>;

/** One load of a page, with all its requests. */
export const PageSchema = v.object({
  /** From 1, in the order of their start. */
  number: v.number(),
  /** Of the document, after redirects. */
  url: v.string(),
  /** The exchange with the document. */
  document: v.number(),
  /** Milliseconds since the Unix epoch. */
  startedAt: v.number(),
  /** Milliseconds until the first second in which nothing was loading; -1 where no time is known. */
  loadMs: v.number(),
  bytes: v.number(),
  /** Ids, by start. */
  exchanges: v.array(v.number()),
  /** The exchange that requested each of `exchanges`, at the same place; 0: none, or unknown. */
  initiators: v.array(v.number()),
  /**
   * What the load waited for, from first to last: ids with start and end in milliseconds after the page's start. Each
   * is the one that ended last before the next began.
   */
  criticalPath: v.array(v.object({ id: v.number(), from: v.number(), to: v.number() })),
  /** By the largest. `cache`: `not modified`, `shared cache` (Age) or `server`. */
  totals: v.object({
    type: v.array(PageShareSchema),
    host: v.array(PageShareSchema),
    protocol: v.array(PageShareSchema),
    cache: v.array(PageShareSchema),
  }),
});
export type Page = v.InferOutput<typeof PageSchema>;

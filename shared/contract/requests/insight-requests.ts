import * as v from 'valibot';
import { EndedConnectionSchema } from '../../model/insight/connection-end.ts';
import { ShortFindingSchema } from '../../model/insight/finding.ts';
import { PageSchema } from '../../model/insight/page.ts';
import { LabOptionsSchema, LabResultSchema } from '../../model/lab/lab-result.ts';
import { Count, Nothing, Session } from './request-parts.ts';

/** Requests that analyse a session: findings, pages, content search, and the lab. */
export const INSIGHT_REQUESTS = {
  /**
   * What is slow, wasteful or wrong in a session so far, the worst first: at most FINDINGS_LIMIT findings, each with at
   * most FINDING_ROWS_LIMIT ids. `total`: how many findings there are. `skipped`: exchanges up to this id were not
   * looked at, because they are not among the latest LIVE_EXCHANGES_LIMIT; 0: all were. `note`: a sentence about
   * exchanges that are left out, because their rows are damaged; null: there are none.
   */
  'insight.findings': {
    input: v.strictObject({ session: Session }),
    output: v.object({
      findings: v.array(ShortFindingSchema),
      total: Count,
      skipped: Count,
      note: v.nullable(v.string()),
    }),
  },
  /**
   * The latest pages of a session, at most PAGES_LIMIT, each with at most FINDING_ROWS_LIMIT exchanges: those of the
   * same exchanges that findings are about.
   */
  'insight.pages': { input: v.strictObject({ session: Session }), output: v.object({ pages: v.array(PageSchema) }) },
  /** How the connections with an id above `after` ended, ascending by id: at most ENDS_LIMIT of those that did. */
  'connections.ends': {
    input: v.strictObject({ session: Session, after: Count }),
    output: v.object({ ends: v.array(EndedConnectionSchema), more: v.boolean() }),
  },
  /**
   * Searches recorded content by a query of shared/filter; `search.progress` carries the results. Ends the window's
   * search before. Returns when the search is over, or with `stopped`. `search`: chosen by the window, named in each
   * progress. Rejects with `search.bad-filter`.
   */
  'search.start': {
    input: v.strictObject({ session: Session, query: v.pipe(v.string(), v.maxLength(10_000)), search: Count }),
    output: v.object({ stopped: v.boolean() }),
  },
  'search.stop': { input: Nothing, output: Nothing },
  /** Replays a page of the session to a browser of the host's machine; `lab.progress` reports its progress. */
  'lab.run': { input: v.strictObject({ session: Session, options: LabOptionsSchema }), output: LabResultSchema },
  /** Ends this window's run, which then rejects with `lab.cancelled`. */
  'lab.cancel': { input: Nothing, output: Nothing },
} as const;

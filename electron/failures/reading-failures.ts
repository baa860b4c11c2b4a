import { entry } from './entry.ts';

/** Failures of queries on recorded sessions. */
export const READING_FAILURES = {
  'compare.bad-filter': entry<{ query: string; detail: string }>(
    'roundtrip',
    (a) => `The filter ${JSON.stringify(a.query)}, which a comparison ignores, cannot be used: ${a.detail}`,
  ),
  'search.bad-filter': entry<{ query: string; detail: string }>(
    'roundtrip',
    (a) => `The filter ${JSON.stringify(a.query)} cannot be searched for: ${a.detail}`,
  ),
  'export.slow-pattern': entry<{ pattern: string; seconds: number }>(
    'roundtrip',
    (a) =>
      `The redaction pattern ${JSON.stringify(a.pattern)} ran for more than ${a.seconds} s on one message, and ` +
      'nothing was exported. Write it without nested repetitions such as (a+)+.',
  ),
  'session.edit-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The session file ${a.path} could not be changed: ${a.detail}. Nothing in it was changed.`,
  ),
} as const;

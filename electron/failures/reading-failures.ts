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
  'session.edit-failed': entry<{ path: string; detail: string }>(
    'roundtrip',
    (a) => `The session file ${a.path} could not be changed: ${a.detail}. Nothing in it was changed.`,
  ),
} as const;

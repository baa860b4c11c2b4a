import { entry } from './entry.ts';

/** What goes wrong with questions that are asked of recorded sessions. */
export const READING_FAILURES = {
  'compare.bad-filter': entry<{ query: string; detail: string }>(
    'roundtrip',
    (a) => `The filter ${JSON.stringify(a.query)}, which a comparison ignores, cannot be used: ${a.detail}`,
  ),
  'search.bad-filter': entry<{ query: string; detail: string }>(
    'roundtrip',
    (a) => `The filter ${JSON.stringify(a.query)} cannot be searched for: ${a.detail}`,
  ),
} as const;

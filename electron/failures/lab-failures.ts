import { type Detail, entry } from './entry.ts';

/** Failures of the lab. */
export const LAB_FAILURES = {
  'lab.no-browser': entry(
    'roundtrip',
    () =>
      'No browser based on Chromium was found on this machine. Install one, or name its program in the variable ' +
      'CHROME_PATH.',
  ),
  'lab.no-page': entry<{ page: number; pages: string }>('roundtrip', (a) =>
    a.pages
      ? `The session has no page ${a.page}. Choose one of these: ${a.pages}.`
      : 'The session has no page: no browser loaded an HTML document in it.',
  ),
  'lab.no-document': entry<{ page: number; url: string }>(
    'roundtrip',
    (a) =>
      `Page ${a.page}, ${a.url}, can't be replayed: the session does not hold its whole document, requested with ` +
      'GET. Record it with an empty browser cache.',
  ),
  'lab.browser-ended': entry<Detail>('roundtrip', (a) => `The lab's browser ended: ${a.detail}.`),
  'lab.load-failed': entry<{ url: string; detail: string }>(
    'roundtrip',
    (a) => `The browser could not load the replayed page ${a.url}: ${a.detail}.`,
  ),
  'lab.busy': entry('roundtrip', () => 'The lab is already measuring. Cancel that run first, or wait for it.'),
  'lab.cancelled': entry('roundtrip', () => 'The lab was cancelled.'),
  'lab.report-failed': entry<{ path: string } & Detail>(
    'roundtrip',
    (a) => `The lab's report ${a.path} could not be written: ${a.detail}.`,
  ),
} as const;

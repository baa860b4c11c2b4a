import type { Call } from '../../shared/contract/envelope.ts';

/** Rows that a window reads first: more than it shows at once, and few enough to arrive within a frame or two. */
export const NEWEST_ROWS = 500;

/** What a window asks first, the rows before anything else. */
export const FIRST_CALLS: readonly Omit<Call, 'call'>[] = [
  { name: 'feed.open', input: { rows: NEWEST_ROWS } },
  ...['settings.get', 'engine.status', 'app.info', 'clients.list', 'sessions.list'].map((name) => ({
    name,
    input: {},
  })),
];

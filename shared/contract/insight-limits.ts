/** How many findings and pages a window gets, and how many ids of each. */
export const FINDINGS_LIMIT = 200;
export const FINDING_ROWS_LIMIT = 1000;
export const PAGES_LIMIT = 100;
/** Ends of connections in one reply. */
export const ENDS_LIMIT = 2000;
/**
 * Windows get findings and pages of this many exchanges of a session, the latest. Their facts take some 60 MB, and a
 * session grows without a limit.
 */
export const LIVE_EXCHANGES_LIMIT = 100_000;

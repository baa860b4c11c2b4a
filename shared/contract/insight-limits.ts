/** What a window is sent of findings and pages: how many, and how many ids of each. */
export const FINDINGS_LIMIT = 200;
export const FINDING_ROWS_LIMIT = 1000;
export const PAGES_LIMIT = 100;
/** Ends of connections in one answer. */
export const ENDS_LIMIT = 2000;

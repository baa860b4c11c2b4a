import type { RawHeaders } from '../../../shared/model/headers.ts';

/**
 * The (empty) trailers of a body that ended by RST_STREAM with NO_ERROR instead of END_STREAM. The reset is passed on
 * because clients differ: curl and Chromium treat it as the end, Go and undici as an error.
 */
export const RESET_END: RawHeaders = [];

import type { RawHeaders } from '../../../shared/model/headers.ts';

/**
 * The trailers of a body that RST_STREAM with NO_ERROR ended in place of END_STREAM: there are none. It is passed on as it
 * came, because clients judge it differently: curl and Chromium take it for an end, Go and undici for an error.
 */
export const RESET_END: RawHeaders = [];

/** Calls from the window, notices from the host, and that the page has drawn. There are no other channels. */
export const CALL_CHANNEL = 'inspector:call';
export const NOTICE_CHANNEL = 'inspector:notice';
export const DRAWN_CHANNEL = 'inspector:drawn';

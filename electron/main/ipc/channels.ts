/** Calls from the window, and notices from the host. There are no other channels. */
export const CALL_CHANNEL = 'inspector:call';
export const NOTICE_CHANNEL = 'inspector:notice';

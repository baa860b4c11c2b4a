/** Calls of the window, answered; and what the host says unasked. There are no other channels. */
export const CALL_CHANNEL = 'inspector:call';
export const NOTICE_CHANNEL = 'inspector:notice';

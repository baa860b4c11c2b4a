/** They end a program that does not handle them. SIGHUP: the terminal or the connection to it was closed. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

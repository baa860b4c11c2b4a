/** Why an attempt was retried; the keys come from engine/upstream/retry-policy.ts. */
export const RETRY_REASONS: Record<string, string> = {
  'connecting-failed': 'connecting failed, and nothing had been sent',
  'connection-found-closed': 'the connection had closed before anything was sent',
  'reused-connection-closed': 'the reused connection closed without a response, and the method is idempotent',
  'fresh-connection-closed': 'the connection closed without a response, and the method is idempotent',
  'proxy-challenge': 'the proxy requires a login',
  'refused-stream': 'the server did not process the request',
};

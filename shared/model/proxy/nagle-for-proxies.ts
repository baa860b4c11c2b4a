/** By the User-Agent fields of requests, urllib3 itself, pip and boto. */
const CLIENTS = /^(?:python-(?:requests|urllib3)|pip)\/|\bBotocore[/#]/i;

/**
 * Whether a client turns Nagle's algorithm on only because its requests go to a proxy, as urllib3 does
 * (`connectionpool.py`). It writes head and body apart, and the body then waits until the head is acknowledged.
 */
export function naglesForProxies(userAgent: string): boolean {
  return CLIENTS.test(userAgent);
}

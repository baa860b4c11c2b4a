import { counted } from '../../../format/counts.ts';
import { formatDuration } from '../../../format/durations.ts';
import { naglesForProxies } from '../../../model/proxy/nagle-for-proxies.ts';
import { type Fact, isHttp1 } from '../../fact.ts';
import { groupBy } from '../../group-by.ts';
import type { InsightRule } from '../../insight-rule.ts';
import { elapsed, sentAt } from '../../lost-time.ts';

const LEAST = 3;
/** Bytes. A larger body takes time to send for other reasons. */
const SMALL = 16 * 1024;
/** Milliseconds, of delayed acknowledgements: Linux waits 40, Windows and macOS up to 200 and 100. */
const DELAYS = [
  { from: 38, to: 50 },
  { from: 98, to: 110 },
  { from: 198, to: 215 },
] as const;

function waitedForAck({ clientProtocol, request, requestSize, timings }: Fact): boolean {
  if (!isHttp1(clientProtocol) || requestSize === 0 || requestSize > SMALL || request.expect !== undefined)
    return false;
  // The throttle held the body, not the client; or the client would not hold it without a proxy.
  if (timings.rulesSend > 0 || naglesForProxies(request['user-agent'] ?? '')) return false;
  return DELAYS.some(({ from, to }) => timings.send >= from && timings.send <= to);
}

export const splitRequests: InsightRule = {
  id: 'split-requests',
  name: 'Requests in two segments, 40 ms apart',
  about:
    'The client writes head and body apart, and its system holds the second piece back until the first is ' +
    "acknowledged (Nagle's algorithm). The other side delays that acknowledgement.",
  threshold:
    `${LEAST} or more requests of one client to one host with a body of at most 16 KB that took 38 to 50, 98 to ` +
    '110 or 198 to 215 ms to send, and no Expect field. Clients on urllib3 (Python: requests, pip, boto) are left ' +
    'out: they turn Nagle on only for a proxy.',
  source: 'RFC 9293, sections 3.7.4 and 3.8.6.3; the delays are those of Linux, macOS and Windows.',
  remedy: 'Write head and body at once, or turn Nagle off in the client (TCP_NODELAY).',
  find: ({ facts }) =>
    [...groupBy(facts.filter(waitedForAck), ({ origin, request }) => `${origin} ${request['user-agent']}`).values()]
      .filter((of) => of.length >= LEAST)
      .map((of) => {
        const lost = of.map((fact) => ({ from: sentAt(fact), to: sentAt(fact) + fact.timings.send }));
        const where = of[0]?.origin ?? '';
        return {
          title:
            `${counted(of.length, 'request')} to ${where} waited for an acknowledgement between head and body: ` +
            `${formatDuration(elapsed(lost))}`,
          where,
          confidence: of.length >= 10 ? ('high' as const) : ('medium' as const),
          facts: of,
          lost,
        };
      }),
};

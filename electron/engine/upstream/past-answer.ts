import type { Failure } from '../../../shared/model/failure.ts';
import type { UpstreamHandlers } from './upstream-stream.ts';

/** Reads a proxy's challenge to its end, and then has the request sent again. */
export function pastAnswer(handlers: UpstreamHandlers | null, about: Failure): UpstreamHandlers {
  const again = (): void =>
    handlers?.failed({ failure: about, retry: 'proxy-challenge', resetCode: 0, tcpReset: false });
  return {
    informational: () => {},
    response: () => {},
    piece: () => true,
    end: again,
    flush: () => {},
    failed: again,
    drain: () => {},
    stopped: () => {},
  };
}

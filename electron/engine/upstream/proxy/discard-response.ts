import type { Failure } from '../../../../shared/model/failure.ts';
import { allHeaders } from '../../../../shared/model/headers.ts';
import { failure } from '../../../failures/errors.ts';
import type { ResponseHead } from '../../http/message.ts';
import { addressOf, type Origin } from '../origin.ts';
import type { UpstreamHandlers } from '../upstream-stream.ts';
import { offeredSchemes, readChallenges } from './auth-challenge.ts';

/** The failure for a proxy's challenge that cannot be answered. */
export function asksForLogin({ proxy }: Origin, { headers }: ResponseHead): Failure {
  const schemes = offeredSchemes(readChallenges(allHeaders(headers, 'proxy-authenticate')));
  return failure('proxy.authentication-required', { address: proxy ? addressOf(proxy) : '', schemes });
}

/** Reads and discards the rest of a proxy's challenge, then has the request sent again. */
export function discardResponse(handlers: UpstreamHandlers | null, about: Failure): UpstreamHandlers {
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

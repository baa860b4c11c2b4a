import type { Failure } from '../../../shared/model/failure.ts';
import { failure } from '../../failures/errors.ts';

/** Upstream sent nothing for `time` milliseconds while Roundtrip was waiting for it. */
export function silenceFailure(address: string, time: number): Failure {
  return failure('upstream.timeout', { address, seconds: time / 1000 }, 'ETIMEDOUT');
}

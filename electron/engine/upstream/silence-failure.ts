import type { Failure } from '../../../shared/model/failure.ts';
import { failure } from '../../failures/errors.ts';

/** Upstream let `time` milliseconds pass while it was its turn. */
export function silenceFailure(address: string, time: number): Failure {
  return failure('upstream.timeout', { address, seconds: time / 1000 }, 'ETIMEDOUT');
}

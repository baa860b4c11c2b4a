import type { Failure } from '../../../../shared/model/failure.ts';

/** A failed attempt to connect; times are from `performance.now()`. */
export interface FailedOpening {
  startedAt: number;
  endedAt: number;
  failure: Failure;
}

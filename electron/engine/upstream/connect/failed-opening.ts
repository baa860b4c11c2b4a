import type { Failure } from '../../../../shared/model/failure.ts';

/** An attempt to connect that failed; times by `performance.now()`. */
export interface FailedOpening {
  startedAt: number;
  endedAt: number;
  failure: Failure;
}

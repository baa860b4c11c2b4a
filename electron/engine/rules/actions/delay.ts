import type { Delay } from '../../../../shared/model/rule/actions.ts';

/** Milliseconds: a random time between the two, or the single value. */
export function delayOf({ ms, upTo }: Delay): number {
  return upTo === undefined || upTo <= ms ? ms : ms + Math.random() * (upTo - ms);
}

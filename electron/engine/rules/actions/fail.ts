import type { Fail } from '../../../../shared/model/rule/actions.ts';
import { seeded } from '../seeded.ts';

/** Whether this match fails. `count`: the number of the match, which decides the outcome if there is a seed. */
export function fails({ percent, seed }: Fail, count: number): boolean {
  if (percent >= 100) return true;
  return (seed === undefined ? Math.random() : seeded(seed, count)) * 100 < percent;
}

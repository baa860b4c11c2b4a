import { failure } from './errors.ts';

/** One sentence about exchanges that were left out, because their rows are damaged; null: there are none. */
export function damagedRows(count: number): string | null {
  return count === 0 ? null : failure('session.rows-damaged', { count }).message;
}

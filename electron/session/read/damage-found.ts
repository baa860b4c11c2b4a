import { damagedRows } from '../../failures/damaged-rows.ts';
import type { SessionReader } from './session-reader.ts';

/**
 * What was missing in a session file while it was read, as sentences: call it after the work. A query may be the first
 * one to reach a damaged part.
 */
export function damageFound(reader: SessionReader): string[] {
  const { notice } = reader.info();
  return [notice ?? null, damagedRows(reader.damaged.size)].filter((sentence) => sentence !== null);
}

import { roundtripError } from '../../failures/errors.ts';
import type { SessionReader } from './session-reader.ts';

/**
 * What was missing in a session file while it was read, as sentences: call it after the work. A query may be the first
 * one to reach a damaged part.
 */
export function damageFound(reader: SessionReader): string[] {
  const { notice } = reader.info();
  const count = reader.damaged.size;
  const rows = count === 0 ? [] : [roundtripError('session.rows-damaged', { count }).message];
  return notice === undefined ? rows : [notice, ...rows];
}

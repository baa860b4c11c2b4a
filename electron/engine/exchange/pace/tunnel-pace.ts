import type { Lane } from '../../rules/throttle/lane.ts';
import type { SpliceHandlers } from '../splice.ts';

/**
 * How long the bytes of joined connections wait for a slow link, milliseconds. Bytes that follow others at once pay for
 * their size only; after a silence they also pay for half a round trip.
 */
export function waitsOf(lane: Lane): NonNullable<SpliceHandlers['waits']> {
  const crossedAt = { up: 0, down: 0 };
  return (from, bytes) => {
    const direction = from === 'client' ? 'up' : 'down';
    const now = performance.now();
    const isSilent = crossedAt[direction] < now - SILENCE;
    const at = isSilent ? lane.message(direction, bytes, now) : lane.body(direction, bytes, crossedAt[direction]);
    crossedAt[direction] = at;
    return at - now;
  };
}

/** Bytes that come within this time after others belong to one flow: reads of a busy socket come this far apart. */
const SILENCE = 10;

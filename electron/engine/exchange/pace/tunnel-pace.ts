import type { Lane } from '../../rules/throttle/lane.ts';
import type { SpliceHandlers } from '../splice.ts';

/**
 * How long the bytes of joined connections wait for a slow link, milliseconds. Bytes that follow others at once take
 * time for their size only; after a silence, half a round trip is added.
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

/** Bytes that arrive within this time after others belong to one flow: reads of a busy socket are this far apart. */
const SILENCE = 10;

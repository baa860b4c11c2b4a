import { describe, expect, it } from 'vitest';
import { BlockedTime } from '../../../../../../electron/engine/http2/sending/blocked-time.ts';

function blockedBy(...stretches: [number, number][]): BlockedTime {
  const blocked = new BlockedTime();
  for (const [from, to] of stretches) blocked.add(from, to);
  return blocked;
}

describe('the time that streams waited for windows', () => {
  it('is nothing at first', () => {
    expect(blockedBy()).toMatchObject({ total: 0, stretches: [] });
  });

  it('adds up over streams, while stretches of several streams are one', () => {
    const blocked = blockedBy([10, 20], [15, 25], [5, 30], [40, 50]);
    expect(blocked.total).toBe(10 + 10 + 25 + 10);
    expect(blocked.stretches).toEqual([
      [5, 30],
      [40, 50],
    ]);
  });

  it('keeps stretches with a pause between them apart', () => {
    expect(blockedBy([1, 2], [3, 4]).stretches).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  it('joins those with the shortest pause when there are more than 64', () => {
    const far = Array.from({ length: 64 }, (_none, index): [number, number] => [index * 100, index * 100 + 10]);
    const { stretches, total } = blockedBy(...far, [6315, 6320]);
    expect(stretches).toHaveLength(64);
    expect(stretches.at(-1)).toEqual([6300, 6320]);
    expect(stretches.at(0)).toEqual([0, 10]);
    expect(total).toBe(645);
  });
});

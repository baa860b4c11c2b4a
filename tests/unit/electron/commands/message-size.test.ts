import { describe, expect, it } from 'vitest';
import { isLargerThan } from '../../../../electron/commands/message-size.ts';

describe('message size', () => {
  it('counts characters, keys and values', () => {
    expect(isLargerThan({ name: 'abc' }, 9)).toBe(false);
    expect(isLargerThan({ name: 'abc' }, 8)).toBe(true);
    expect(isLargerThan('x'.repeat(100), 100)).toBe(true);
    expect(isLargerThan(new Uint8Array(50), 50)).toBe(true);
    expect(isLargerThan(undefined, 1)).toBe(false);
  });

  it('ends on a cycle', () => {
    const round: Record<string, unknown> = {};
    round.self = round;
    expect(isLargerThan(round, 1000)).toBe(true);
  });

  it('does not walk a list that is too long', () => {
    expect(isLargerThan(new Array(1e6), 1000)).toBe(true);
  });
});

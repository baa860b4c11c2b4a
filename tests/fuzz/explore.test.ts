import { describe, expect, it } from 'vitest';
import { Explorer, failure } from './explore.ts';
import { minimise } from './minimise.ts';
import { LONGEST, mutate } from './mutate.ts';
import { cutUp, Random } from './random.ts';
import { type FuzzTarget, same, Violation, words } from './target.ts';

/** A reader with a fault behind three steps, each of which reaches new code. */
const PLANTED: FuzzTarget = {
  name: 'planted',
  words: words('one', 'two', 'three'),
  seeds: [],
  run(bytes) {
    const steps = ['one', 'two', 'three'].filter((_, index, all) => bytes.includes(all.slice(0, index + 1).join('')));
    if (steps.length === 3) throw new Violation('all three in order');
    return steps.join();
  },
};

describe('the explorer', () => {
  it('finds an input behind several steps, and the same one again with the same seed', async () => {
    const search = async (): Promise<[number, string]> => {
      const explorer = new Explorer(PLANTED, [], 7);
      for (;;) {
        const found = await explorer.next(() => {});
        if (found) return [explorer.runs, found.bytes.toString('latin1')];
      }
    };
    const [runs, bytes] = await search();
    expect(bytes).toContain('onetwothree');
    expect(await search()).toEqual([runs, bytes]);
  });

  it('makes a found input as small as possible', async () => {
    const bytes = Buffer.from(`${'x'.repeat(50)}one${'y'.repeat(30)}onetwothreezz`);
    const least = await minimise(bytes, async (each) => (await failure(PLANTED, each, 0)) !== null);
    expect(least.toString()).toBe('onetwothree');
  });
});

it('inputs stay short, and inputs of the same seed are the same', () => {
  const make = (): Buffer[] => {
    const random = new Random(5);
    let bytes: Buffer = Buffer.from('some bytes, 12');
    return Array.from({ length: 500 }, () => {
      bytes = mutate(bytes, Buffer.from('others'), PLANTED.words, random);
      return bytes;
    });
  };
  const all = make();
  expect(Math.max(...all.map(({ length }) => length))).toBeLessThanOrEqual(LONGEST);
  expect(make()).toEqual(all);
  expect(new Set(all.map(String)).size).toBeGreaterThan(100);
});

it('splitting loses nothing', () => {
  const bytes = Buffer.from('a few bytes');
  for (let seed = 0; seed < 100; seed += 1) expect(Buffer.concat(cutUp(bytes, new Random(seed)))).toEqual(bytes);
});

it('a difference is a violation that shows both sides', () => {
  expect(() => same('what', [1], [1])).not.toThrow();
  expect(() => same('what', [1], [2])).toThrow(new Violation('what: [1] and [2]'));
});

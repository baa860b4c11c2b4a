import { describe, expect, it } from 'vitest';
import { corpusOf } from './corpus.ts';
import { Random } from './random.ts';
import { TARGETS } from './targets.ts';

const CUTS = 20;

/** Fixed faults stay fixed: each kept input, whole and cut in several ways. */
describe.each(TARGETS.map((each) => [each.name, each] as const))('the corpus of %s', (name, target) => {
  const kept = corpusOf(name);

  it('exists', () => {
    expect(kept.length).toBeGreaterThan(3);
  });

  it('and the tables of other tests hold', async () => {
    for (const bytes of target.seeds)
      for (let seed = 0; seed < CUTS; seed += 1) await target.run(Buffer.from(bytes), new Random(seed));
  });

  it.each(kept.map((each) => [each.name, each.bytes] as const))('%s', async (_name, bytes) => {
    for (let seed = 0; seed < CUTS; seed += 1) await target.run(Buffer.from(bytes), new Random(seed));
  });
});

import { describe, expect, it } from 'vitest';
import { DEFAULT_DRAFT, optionsOf } from '../../../../../renderer/features/lab/lab-draft.ts';

describe("the lab's form", () => {
  it('reads numbers, and variants in their order', () => {
    const draft = { ...DEFAULT_DRAFT, rtts: '5, 0.5', variants: ['nagle', 'http1'] as const };
    const options = { rtts: [5, 0.5], bandwidth: 0, runs: 7, variants: ['http1', 'nagle'] };
    expect(optionsOf(draft)).toEqual({ ok: true, options });
  });

  it.each([
    ['rtts', { rtts: '0,,20' }],
    ['rtts', { rtts: 'fast' }],
    ['bandwidth', { bandwidth: '-1' }],
    ['runs', { runs: '1.5' }],
    ['variants', { variants: [] }],
  ])('names the faulty field %s', (field, change) => {
    expect(optionsOf({ ...DEFAULT_DRAFT, ...change })).toMatchObject({ ok: false, problem: { field } });
  });
});

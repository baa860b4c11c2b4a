import { describe, expect, it } from 'vitest';
import { largePayload } from '../../../../../../shared/insight/rules/content/large-payload.ts';
import { exampleFact, foundBy } from '../../../../../support/example-fact.ts';

const answer = (size: number, wait: number, dest = 'empty') => exampleFact({ size, wait, dest, path: '/list' });

describe('large-payload', () => {
  it('reports 300,000 bytes in 100 ms', () => {
    expect(foundBy(largePayload, [answer(300_000, 100)])).toMatchObject([
      { title: 'GET /list sends 293 KB', bytes: 300_000 },
    ]);
  });

  it.each([
    ['fewer bytes', answer(299_999, 100)],
    ['a fast answer', answer(300_000, 99)],
    ['an image', answer(300_000, 100, 'image')],
  ])('is silent about %s', (_name, fact) => {
    expect(foundBy(largePayload, [fact])).toEqual([]);
  });
});

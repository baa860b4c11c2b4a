import { describe, expect, it } from 'vitest';
import { largePayload } from '../../../../../../shared/insight/rules/content/large-payload.ts';
import { exampleFact, foundBy } from '../../../../../support/example-fact.ts';

const response = (size: number, wait: number, dest = 'empty') => exampleFact({ size, wait, dest, path: '/list' });

const SEGMENT = { size: 600_000, wait: 200, dest: 'empty', path: '/segment' };

describe('large-payload', () => {
  it('reports 300,000 bytes in 100 ms', () => {
    expect(foundBy(largePayload, [response(300_000, 100)])).toMatchObject([
      { title: 'GET /list sends 293 KB', bytes: 300_000 },
    ]);
  });

  it.each([
    ['fewer bytes', response(299_999, 100)],
    ['a fast response', response(300_000, 99)],
    ['an image', response(300_000, 100, 'image')],
    ['a segment of a video', exampleFact({ ...SEGMENT, response: { 'Content-Type': 'video/mp2t' } })],
    ['a range', exampleFact({ ...SEGMENT, status: 206 })],
  ])('is silent about %s', (_name, fact) => {
    expect(foundBy(largePayload, [fact])).toEqual([]);
  });
});

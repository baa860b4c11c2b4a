import { describe, expect, it } from 'vitest';
import { legacyImages } from '../../../../../../shared/insight/rules/content/legacy-images.ts';
import { exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const KB = 1024;
const images = (count: number, size: number, type = 'image/png', accept = 'image/avif,image/webp,*/*') =>
  exampleFacts(count, () => ({ dest: 'image', size, request: { Accept: accept }, response: { 'Content-Type': type } }));

describe('legacy-images', () => {
  it('reports large images in an old format, with an estimate', () => {
    expect(foundBy(legacyImages, images(2, 100 * KB))).toMatchObject([
      { bytes: 50 * KB, confidence: 'low', severity: 'low' },
    ]);
  });

  it.each([
    ['small images', images(99, 63 * KB)],
    ['little in all', images(1, 199 * KB)],
    ['WebP', images(9, 100 * KB, 'image/webp')],
    ['clients that take neither WebP nor AVIF', images(9, 100 * KB, 'image/png', '*/*')],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(legacyImages, facts)).toEqual([]);
  });
});

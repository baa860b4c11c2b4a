import { describe, expect, it } from 'vitest';
import { thirdParty } from '../../../../../../shared/insight/rules/content/third-party.ts';
import { exampleFact, foundBy } from '../../../../../support/example-fact.ts';

const KB = 1024;

function page(own: number, foreign: number, other = 'https://cdn.ads.test') {
  const referer = { Referer: 'https://www.shop.test/' };
  return [
    exampleFact({ origin: 'https://www.shop.test', dest: 'document', size: own }),
    exampleFact({ origin: other, dest: 'script', size: foreign, request: referer }),
  ];
}

describe('third-party', () => {
  it('reports that most of a page comes from other sites', () => {
    const [finding] = foundBy(thirdParty, page(100 * KB, 500 * KB));
    expect(finding).toMatchObject({ where: 'shop.test', bytes: 500 * KB, requests: 1 });
    expect(finding?.detail).toContain('ads.test (500 KB)');
  });

  it.each([
    ['few bytes', page(0, 499 * KB)],
    ['less than half', page(600 * KB, 500 * KB)],
    ['another host of the same site', page(1, 900 * KB, 'https://cdn.shop.test')],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(thirdParty, facts)).toEqual([]);
  });
});

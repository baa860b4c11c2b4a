import { describe, expect, it } from 'vitest';
import type { Fact } from '../../../../../../shared/insight/fact.ts';
import { thirdParty } from '../../../../../../shared/insight/rules/content/third-party.ts';
import { exampleFact, foundBy } from '../../../../../support/example-fact.ts';

const KB = 1024;
const FOREVER = { 'Cache-Control': 'public, max-age=86400' };

function page(own: number, foreign: number, other = 'https://cdn.ads.test', response = {}) {
  const referer = { Referer: 'https://www.shop.test/' };
  return [
    exampleFact({ origin: 'https://www.shop.test', dest: 'document', size: own }),
    exampleFact({ origin: other, dest: 'script', size: foreign, request: referer, response }),
  ];
}

describe('third-party', () => {
  it('reports that most of a page comes from other sites', () => {
    const [finding] = foundBy(thirdParty, page(100 * KB, 500 * KB));
    expect(finding).toMatchObject({ where: 'shop.test', bytes: 500 * KB, requests: 1 });
    expect(finding?.detail).toContain('ads.test (500 KB)');
  });

  it('leaves out a CDN, and counts its bytes to the whole', () => {
    const [document, script] = page(1, 600 * KB);
    const cdn = page(1, 500 * KB, 'https://files.cdn.test', FOREVER)[1];
    expect(foundBy(thirdParty, [document, script, cdn] as Fact[])).toMatchObject([
      { title: '55 % of the bytes of shop.test (600 KB) come from other sites', requests: 1 },
    ]);
    const short = page(1, 600 * KB, 'https://files.cdn.test', { 'Cache-Control': 'max-age=86399' });
    expect(foundBy(thirdParty, short)).toHaveLength(1);
  });

  it.each([
    ['files of a CDN', page(1, 900 * KB, 'https://files.cdn.test', FOREVER)],
    ['few bytes', page(0, 499 * KB)],
    ['less than half', page(600 * KB, 500 * KB)],
    ['another host of the same site', page(1, 900 * KB, 'https://cdn.shop.test')],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(thirdParty, facts)).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { elapsed, openingOf, waitOf } from '../../../../shared/insight/lost-time.ts';
import { slowDns } from '../../../../shared/insight/rules/connection/slow-dns.ts';
import { slowDocument } from '../../../../shared/insight/rules/server/slow-document.ts';
import { exampleFact, foundBy } from '../../../support/example-fact.ts';

const SHOP = 'https://shop.test';

describe('lost time', () => {
  it('counts what overlaps once', () => {
    const spans = [
      { from: 50, to: 60 },
      { from: 0, to: 20 },
      { from: 10, to: 30 },
      { from: 12, to: 14 },
    ];
    expect(elapsed(spans)).toBe(40);
    expect(elapsed([])).toBe(0);
  });

  it('places phases before the response', () => {
    const fact = exampleFact({ wait: 100, timings: { dns: 5, connect: 40, send: 3, receive: 20 } });
    const opening = openingOf(fact);
    expect([opening.from - fact.start, opening.to - fact.start]).toEqual([0, 45]);
    const wait = waitOf(fact, 60);
    expect([wait.from - fact.start, wait.to - fact.start]).toEqual([88, 148]);
  });

  it('is less than the sum for requests at the same time', () => {
    const lookup = () => exampleFact({ timings: { dns: 300 } });
    expect(foundBy(slowDns, [lookup(), lookup()])).toMatchObject([{ costMs: 300, criticalMs: null }]);
  });

  it('names the part on the critical path of a page', () => {
    const document = exampleFact({ origin: SHOP, dest: 'document', wait: 700 });
    const part = (path: string, dns: number, wait: number, origin = SHOP) =>
      exampleFact({ origin, path, at: 710, wait, timings: { dns }, request: { Referer: `${SHOP}/` } });
    const slow = part('/slow.js', 250, 400);
    const aside = part('/aside.js', 250, 10, 'https://aside.test');
    const found = foundBy(slowDns, [document, slow, aside]);
    expect(found.map(({ where, costMs, criticalMs }) => [where, costMs, criticalMs])).toEqual([
      ['shop.test', 250, 250],
      ['aside.test', 250, null],
    ]);
    expect(foundBy(slowDocument, [document, slow])).toMatchObject([{ costMs: 600, criticalMs: 600 }]);
  });

  it('has no more digits than the cost of a finding: both are then shown alike', () => {
    expect(elapsed([{ from: 0, to: 105.46 }])).toBe(105.5);
  });
});

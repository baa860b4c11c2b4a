import { describe, expect, it } from 'vitest';
import { ignoredPriorities } from '../../../../../../shared/insight/rules/connection/ignored-priorities.ts';
import { exampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

const LARGE = 100 * 1024;
const urgent = (receive: number) =>
  exampleFact({ path: '/app.js', size: LARGE, request: { Priority: 'u=1' }, timings: { receive } });
const images = (count: number, priority = 'u=5, i') =>
  exampleFacts(count, () => ({ at: 5, size: LARGE, request: { Priority: priority }, timings: { receive: 300 } }));

describe('ignored-priorities', () => {
  it('reports images that overtook an urgent script', () => {
    expect(foundBy(ignoredPriorities, [urgent(900), ...images(3)])[0]?.exchanges).toHaveLength(4);
  });

  it.each([
    ['a script that came first', [urgent(100), ...images(3)]],
    ['two images', [urgent(900), ...images(2)]],
    ['images of the same urgency', [urgent(900), ...images(3, 'u=1')]],
    [
      'a client that states no priorities',
      exampleFacts(5, (at) => ({ size: LARGE, timings: { receive: 900 - at * 100 } })),
    ],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(ignoredPriorities, facts)).toEqual([]);
  });
});

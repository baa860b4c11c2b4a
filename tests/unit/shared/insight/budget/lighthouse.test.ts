import { expect, it } from 'vitest';
import { lighthouseLines } from '../../../../../shared/insight/budget/lighthouse.ts';
import { BudgetTally } from '../../../../../shared/insight/budget/tally.ts';
import { exampleRow } from '../../../../support/example-row.ts';

const row = (mediaType: string, responseSize: number, authority = 'www.shop.test', path = '/a') =>
  exampleRow({}, { mediaType, responseSize, authority, path, status: 200 });
const PAGE = row('text/html', 1000, 'www.shop.test', '/products/1');
const ROWS = [PAGE, row('text/javascript', 2048), row('image/png', 500, 'cdn.ads.test')];

const amounts = (...pairs: ['script' | 'third-party' | 'total' | 'image', number][]) =>
  pairs.map(([resourceType, budget]) => ({ resourceType, budget }));

it('checks sizes in KB and counts, by the last entry that fits the page', () => {
  const { lines, notes } = lighthouseLines(
    [
      { resourceSizes: amounts(['script', 9]), resourceCounts: [], timings: [] },
      {
        path: '/products/*',
        resourceSizes: amounts(['script', 1], ['total', 4]),
        resourceCounts: amounts(['third-party', 1], ['image', 0]),
        timings: [{}],
      },
      { path: '/about$', resourceSizes: [], resourceCounts: [], timings: [] },
    ],
    PAGE,
  );
  const tallies = lines.map((line) => new BudgetTally(line));
  for (const one of ROWS) for (const tally of tallies) tally.add(one);
  expect(
    tallies.map((tally) => tally.verdict([])).map(({ expression, actual, ok }) => [expression, actual, ok]),
  ).toEqual([
    ['script size <= 1KB', 2048, false],
    ['total size <= 4KB', 3548, true],
    ['third-party count <= 1', 1, true],
    ['image count <= 0', 1, false],
  ]);
  expect(notes).toEqual([expect.stringContaining('Not checked')]);
});

it.each([
  [['www.shop.test'], 1],
  [['*.shop.test', 'cdn.ads.test'], 0],
  [['*.SHOP.test'], 1],
  [['shop.test'], 3],
  [[], 3],
])('takes the hosts %j as first parties', (firstPartyHostnames, third) => {
  const counts = amounts(['third-party', 0]);
  const budget = [{ options: { firstPartyHostnames }, resourceSizes: [], resourceCounts: counts, timings: [] }];
  const [line] = lighthouseLines(budget, PAGE).lines;
  const tally = line && new BudgetTally(line);
  for (const one of [...ROWS.slice(1), row('image/png', 1, 'www.shop.test:8443')]) tally?.add(one);
  expect(tally?.verdict([]).actual).toBe(third);
});

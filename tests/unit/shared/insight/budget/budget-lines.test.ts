import { describe, expect, it } from 'vitest';
import { parseBudgetLine } from '../../../../../shared/insight/budget/expression.ts';
import { BudgetTally } from '../../../../../shared/insight/budget/tally.ts';
import type { Finding } from '../../../../../shared/model/insight/finding.ts';
import { exampleRow } from '../../../../support/example-row.ts';

const ROWS = [100, 200, 300, 400].map((ttfb, index) =>
  exampleRow(
    {},
    {
      ttfb,
      authority: index < 2 ? 'api.test' : 'cdn.test',
      upstreamConnection: index,
      responseSize: 1024,
      status: 200 + index * 100,
    },
  ),
);
const FINDING: Finding = {
  ...{ rule: 'n-plus-one', severity: 'high', confidence: 'high', title: '', where: 'https://api.test', detail: '' },
  ...{ remedy: '', exchanges: [], costMs: null, criticalMs: null, bytes: null, requests: null },
};

function verdictOf(line: string) {
  const tally = new BudgetTally(parseBudgetLine(line));
  for (const row of ROWS) tally.add(row);
  const { ok, actual } = tally.verdict([FINDING]);
  return [actual, ok];
}

describe('a line of a budget', () => {
  it.each([
    ['count < 5', 4, true],
    ['count<4', 4, false],
    ['count where status:>=400 <= 1', 2, false],
    ['p95(ttfb) < 300ms where host:api type:json', 195, true],
    ['median(ttfb) == 0.25s', 250, true],
    ['sum(size where host:cdn) < 2KB', 2048, false],
    ['avg(size) = 1kb where host:cdn OR host:api', 1024, true],
    ['connections where host:cdn <= 2', 2, true],
    ['connections where host:api <= 0', 1, false],
    ['findings == 0 where severity:high', 1, false],
    ['findings where rule:redirects,n-plus-one where:api != 1', 1, false],
    ['findings == 0 where severity:low', 0, true],
    ['max(ttfb) < 1 where host:nobody', null, true],
    ['p100(ttfb) < 400ms', 400, false],
  ])('%s', (line, actual, ok) => {
    expect(verdictOf(line)).toEqual([actual, ok]);
  });

  it.each([
    ['count', 'It has no limit'],
    ['cuont < 3', 'There is no measure cuont. Did you mean count?'],
    ['medain(ttfb) < 3', 'Did you mean median?'],
    ['speed < 3', 'There is no measure speed. Use count'],
    ['p95(tfb) < 3ms', 'There is no field tfb'],
    ['sum < 3', 'sum needs a field'],
    ['p95(ttfb) < 3KB', '"KB" is not a unit here'],
    ['count < 3 where colour:red', 'There is no field colour'],
    ['findings == 0 where host:a', 'not by host:a'],
    ['count(size) < 3', 'count takes no field: write count, or sum(size) for its sum.'],
    ['count < 1,000', '"1,000" can\'t be a limit: write digits and a unit'],
    ['count < -3 where host:a', '"-3" can\'t be a limit'],
    ['count <', 'It has no limit'],
    ['findings == 0 where severity:hihg', 'No finding has severity:hihg. Did you mean high? Use high, medium, low.'],
    ['findings == 0 where rule:n-plus-on', 'Did you mean n-plus-one? docs/findings.md lists the rules.'],
    ['findings == 0 where confidence:high,sure', 'No finding has confidence:sure. Use high'],
  ])('%s is refused', (line, message) => {
    expect(() => parseBudgetLine(line)).toThrow(message);
  });
});

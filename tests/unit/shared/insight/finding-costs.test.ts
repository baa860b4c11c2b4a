import { expect, it } from 'vitest';
import { costLine, costsOf } from '../../../../shared/insight/finding-costs.ts';
import { nPlusOne } from '../../../../shared/insight/rules/server/n-plus-one.ts';
import type { Finding } from '../../../../shared/model/insight/finding.ts';
import { exampleFacts, foundBy } from '../../../support/example-fact.ts';

const UNKNOWN: Finding = {
  ...{ rule: 'a', severity: 'low', confidence: 'high', title: '', where: '', detail: '', remedy: '' },
  ...{ exchanges: [], costMs: null, criticalMs: null, bytes: null, requests: null },
};

it('names what is known, and leaves out the rest', () => {
  expect(costLine(UNKNOWN)).toBe('');
  expect(costLine({ ...UNKNOWN, costMs: 300, criticalMs: 250, bytes: 2048, requests: 1200 })).toBe(
    'time lost 300 ms, critical path 250 ms, bytes 2.0 KB, requests 1,200',
  );
});

it('says so if a known time is none: 0 ms reads like an unknown one', () => {
  expect(costsOf({ ...UNKNOWN, costMs: 519, criticalMs: 0 })).toEqual([
    ['time lost', '519 ms'],
    ['critical path', 'none'],
  ]);
});

it('has no time for requests that ran at once: what one request would save is unknown', () => {
  const [found] = foundBy(
    nPlusOne,
    exampleFacts(6, (index) => ({ wait: 519, path: `/items/${index + 1}`, dest: 'empty' })),
  );
  expect(found?.title).toBe('6 requests for /items/{id} could be one: they were under way for 519 ms');
  expect(found && costLine(found)).toBe('requests 5');
});

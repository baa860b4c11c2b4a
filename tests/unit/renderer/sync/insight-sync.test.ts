import { expect, it } from 'vitest';
import { marksOf, pauseAfter } from '../../../../renderer/sync/insight-sync.ts';
import type { Finding } from '../../../../shared/model/insight/finding.ts';

const finding = (severity: Finding['severity'], title: string, exchanges: number[]): Finding => ({
  ...{ rule: 'a', severity, confidence: 'high', title, where: '', detail: '', remedy: '' },
  ...{ exchanges, costMs: null, criticalMs: null, bytes: null, requests: null },
});

it('marks a row by its worst finding, with the titles of all', () => {
  const marks = marksOf([finding('high', 'one', [1, 2]), finding('low', 'two', [2, 3])]);
  expect([...marks]).toEqual([
    [1, { severity: 'high', titles: 'one' }],
    [2, { severity: 'high', titles: 'one\ntwo' }],
    [3, { severity: 'low', titles: 'two' }],
  ]);
});

it.each([
  [1, 1500],
  [100, 5000],
  [4000, 30_000],
])('after a look of %i ms, the next one waits %i ms', (took, pause) => {
  expect(pauseAfter(took)).toBe(pause);
});

import * as v from 'valibot';
import { expect, it } from 'vitest';
import { findIn } from '../../../../shared/insight/find.ts';
import { INSIGHT_RULES } from '../../../../shared/insight/rules/catalogue.ts';
import { FindingSchema } from '../../../../shared/model/insight/finding.ts';
import { exampleFact } from '../../../support/example-fact.ts';

it('puts the worst first, in the form of the contract', () => {
  const found = findIn([
    exampleFact({ timings: { dns: 250 }, origin: 'https://a.test' }),
    exampleFact({ timings: { dns: 1200 }, origin: 'https://b.test' }),
    exampleFact({ timings: { dns: 400 }, origin: 'https://c.test' }),
  ]);
  expect(found.map(({ where, severity }) => [where, severity])).toEqual([
    ['b.test', 'high'],
    ['c.test', 'medium'],
    ['a.test', 'low'],
  ]);
  expect(v.is(v.array(FindingSchema), found)).toBe(true);
});

it('gives every rule its own id and names its source', () => {
  expect(new Set(INSIGHT_RULES.map(({ id }) => id)).size).toBe(INSIGHT_RULES.length);
  for (const rule of INSIGHT_RULES) expect(rule.source).not.toBe('');
});

it('finds nothing in an empty session', () => {
  expect(findIn([])).toEqual([]);
});

import fs from 'node:fs';
import path from 'node:path';
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

it('has a test file for every rule, with a case that reports and one that is silent', () => {
  const folder = path.join(import.meta.dirname, 'rules');
  const files = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const { id } of INSIGHT_RULES) {
    const file = files.find((one) => path.basename(one) === `${id}.test.ts`);
    expect(file, id).toBeDefined();
    const text = fs.readFileSync(path.join(folder, file ?? ''), 'utf8');
    const expected = text.match(/\)\.to\w+\(.*/g) ?? [];
    expect(expected, id).toContainEqual(expect.stringContaining('toEqual([])'));
    expect(expected, id).toContainEqual(expect.not.stringContaining('toEqual([])'));
  }
});

it('finds nothing in an empty session', () => {
  expect(findIn([])).toEqual([]);
});

import * as v from 'valibot';
import { expect, test } from 'vitest';
import { PRESETS, queryFor, ROW_PRESETS, ruleOf } from '../../../../../renderer/features/rules/presets.ts';
import { ruleFrom, textOf } from '../../../../../renderer/features/rules/rule-draft.ts';
import { actionsInWords, freeName, isFinal } from '../../../../../renderer/features/rules/rule-words.ts';
import { compileFilter } from '../../../../../shared/filter/compile.ts';
import { RuleSchema } from '../../../../../shared/model/rule/rule.ts';
import { sampleRow } from '../../../../support/sample-inspector/sample-rows.ts';

const rule = v.parse(RuleSchema, {
  name: 'tea',
  group: 'demo',
  limit: 3,
  when: 'path:/tea',
  do: [{ answer: { status: 418 } }, { delay: { ms: 5 } }],
});

test('the form without a change gives the same rule, with what it does not show', () => {
  expect(ruleFrom(textOf(rule), rule)).toEqual({ ok: true, rule });
});

test.each([
  [{ name: ' ' }, 'name', 'Give the rule a name.'],
  [{ when: 'status:x' }, 'when', '404, 4xx'],
  [{ actions: '[' }, 'actions', 'Not valid JSON'],
  [{ actions: '[]' }, 'actions', 'actions: '],
  [{ actions: '[{"delay":{"ms":-1}}]' }, 'actions', 'actions.0.delay.ms'],
  [{ actions: '[{"delay":{"ms":1},"mark":{}}]' }, 'actions', 'exactly one'],
])('%j is refused at its field', (change, field, problem) => {
  const result = ruleFrom({ ...textOf(rule), ...change }, rule);
  expect(result).toMatchObject({ ok: false, field, problem: expect.stringContaining(problem) });
});

test('presets are rules', () => {
  for (const preset of [...PRESETS, ...ROW_PRESETS]) expect(ruleOf(preset, '').do.length).toBeGreaterThan(0);
});

test("a row's query matches the row", () => {
  const row = sampleRow(7);
  const filter = compileFilter(queryFor(row));
  expect(filter.ok && filter.matches(row)).toBe(true);
  expect(filter.ok && filter.matches({ ...row, path: '/other' })).toBe(false);
});

test('a rule in words', () => {
  expect(actionsInWords(rule)).toBe('answer 418; delay request 5 ms');
  expect([isFinal(rule), isFinal({ ...rule, do: [{ mark: {} }] })]).toEqual([true, false]);
  expect(freeName('tea', [rule, { ...rule, name: 'tea 2' }])).toBe('tea 3');
});

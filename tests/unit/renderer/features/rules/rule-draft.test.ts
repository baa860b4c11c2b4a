import * as v from 'valibot';
import { expect, test } from 'vitest';
import { type ActionText, takesText } from '../../../../../renderer/features/rules/form/action-text.ts';
import { modeOf } from '../../../../../renderer/features/rules/form/body-text-field.tsx';
import { newAction } from '../../../../../renderer/features/rules/form/new-action.ts';
import { PRESETS, queryFor, ROW_PRESETS, ruleOf } from '../../../../../renderer/features/rules/presets.ts';
import { asView, ruleFrom, textOf } from '../../../../../renderer/features/rules/rule-draft.ts';
import { ACTION_NAMES, actionsInWords, freeName, isFinal } from '../../../../../renderer/features/rules/rule-words.ts';
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

const json = (text: string) => ({ actions: { view: 'json' as const, text } });

test.each([
  [{ name: ' ' }, 'name', 'Give the rule a name.', null],
  [{ when: 'status:x' }, 'when', '404, 4xx', null],
  [{ limit: '0' }, 'limit', 'whole number', null],
  [{ limit: '1.5' }, 'limit', 'whole number', null],
  [json('['), 'actions', 'Not valid JSON', 1],
  [json('[\n  {"delay": {"ms": 1,}}\n]'), 'actions', 'Not valid JSON', 2],
  [json('[]'), 'actions', 'actions: ', null],
  [json('[{"delay":{"ms":-1}}]'), 'actions', 'actions.0.delay.ms', null],
  [json('[{"delay":{"ms":1},"mark":{}}]'), 'actions', 'exactly one', null],
])('%j is refused at its field', (change, field, problem, line) => {
  const result = ruleFrom({ ...textOf(rule), ...change }, rule);
  expect(result).toMatchObject({ ok: false, field, line, problem: expect.stringContaining(problem) });
});

const listOf = (actions: object[]) => {
  const { actions: text } = textOf(v.parse(RuleSchema, { name: 'r', do: actions }));
  if (text.view !== 'form') throw new Error('another view');
  return text.list;
};
const withList = (list: readonly ActionText[]) => ruleFrom({ ...textOf(rule), actions: { view: 'form', list } }, rule);

test('a script and a body are edited as text, line by line', () => {
  const code = 'function onRequest(request) {\n  request.url = "x";\n}';
  const list = listOf([{ script: { code, body: false } }, { answer: { status: 404, body: '<p>\n</p>' } }]);
  expect(list).toMatchObject([
    { name: 'script', text: code, fields: '{\n  "body": false\n}' },
    { name: 'answer', text: '<p>\n</p>', fields: expect.stringContaining('"status": 404') },
  ]);
  expect(list[1]?.fields).not.toContain('<p>');
  const read = withList(list.map((each) => ({ ...each, text: `${each.text}\n` })));
  expect(read).toMatchObject({
    rule: { do: [{ script: { code: `${code}\n` } }, { answer: { body: '<p>\n</p>\n' } }] },
  });
});

test('a change keeps the body unless it replaces it, also by an empty one', () => {
  const [change] = listOf([{ changeResponse: { status: 500 } }]);
  if (change === undefined) throw new Error('no action');
  expect(withList([change])).toMatchObject({ rule: { do: [{ changeResponse: { status: 500 } }] } });
  const result = withList([{ ...change, text: '' }]);
  expect(result).toMatchObject({ rule: { do: [{ changeResponse: { status: 500, body: '' } }] } });
});

test("a fault is shown at its action and line, and excludes what can't be together", () => {
  const [delay, answer] = listOf([{ delay: { ms: 1 } }, { answer: { body: 'x' } }]);
  if (!delay || !answer) throw new Error('no action');
  const fault = (one: ActionText) => withList([delay, one]);
  expect(fault({ ...answer, fields: '{\n  "status": 200,\n}' })).toMatchObject({
    ...{ ok: false, field: 'actions', action: 1, line: 3 },
  });
  expect(fault({ ...answer, fields: '{ "status": 42 }' })).toMatchObject({
    action: 1,
    problem: expect.stringMatching(/^answer.status: /),
  });
  expect(fault({ ...answer, fields: '[]' })).toMatchObject({
    action: 1,
    problem: expect.stringContaining('JSON object'),
  });
  expect(fault({ ...answer, fields: '{ "file": "a.json" }' })).toMatchObject({
    problem: '"file" and the body below exclude each other: remove one of them.',
  });
  expect(takesText({ ...answer, text: null, fields: '{ "file": "a.json" }' })).toBe(false);
  expect(fault({ ...answer, text: '', fields: '{ "file": "a.json" }' })).toMatchObject({ ok: true });
});

test('both views hold the same actions, and a view that cannot be read stays', () => {
  const { actions } = textOf(rule);
  const text = asView(actions, 'json');
  expect(text).toMatchObject({ view: 'json', text: expect.stringContaining('"status": 418') });
  const back = text && asView(text, 'form');
  expect(back && ruleFrom({ ...textOf(rule), actions: back }, rule)).toEqual({ ok: true, rule });
  expect(asView({ view: 'json', text: '[{' }, 'form')).toBe(null);
});

test('group and limit are set and removed', () => {
  const given = ruleFrom({ ...textOf(rule), group: ' other ', limit: '12' }, rule);
  expect(given).toMatchObject({ rule: { group: 'other', limit: 12 } });
  const none = ruleFrom({ ...textOf(rule), group: '', limit: '' }, rule);
  expect(none.ok && Object.keys(none.rule)).toEqual(['name', 'enabled', 'when', 'do']);
});

test('each action has an example that is valid', () => {
  for (const name of ACTION_NAMES) expect(Object.keys(newAction(name))).toEqual([name]);
});

test.each([
  ['{ "headers": [["Content-Type", "application/problem+json"]] }', '<p>', 'json'],
  ['{ "headers": [["content-type", "text/html"]] }', '{}', 'html'],
  ['{ "headers": [["content-type", "text/plain"]] }', '{}', 'text'],
  ['{}', ' {"a": 1}', 'json'],
  ['{}', '<!doctype html>', 'html'],
  ['{}', 'plain', 'text'],
])('the editor of a body with %s and %s is for %s', (fields, body, mode) => {
  expect(modeOf(fields, body)).toBe(mode);
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

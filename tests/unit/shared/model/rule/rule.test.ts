import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { RuleListSchema } from '../../../../../shared/model/rule/rule.ts';

const list = (rule: object) => ({ version: 1, rules: [rule] });
const rule = (...actions: object[]) => list({ name: 'a', do: actions });
const problemOf = (input: unknown) => {
  const { issues } = v.safeParse(RuleListSchema, input);
  return issues?.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`).join('\n');
};

test("the design's example is a rules file", () => {
  const { output } = v.safeParse(RuleListSchema, {
    version: 1,
    rules: [
      {
        ...{ name: 'tea', enabled: true, group: 'demo', when: 'path:/json/tea' },
        do: [{ answer: { status: 418, headers: [['content-type', 'text/plain']], body: 'short' } }],
      },
      { name: 'field', when: 'host:api', do: [{ changeRequest: { setHeaders: [['x-added', 'yes']] } }] },
      { name: 'word', when: 'type:json', do: [{ changeResponse: { replaceBody: [{ find: 'a', with: 'b' }] } }] },
      { name: 'slow', when: 'path:/slow', do: [{ delay: { ms: 300 } }] },
      { name: 'cut', when: 'path:/cut', do: [{ fail: { how: 'reset' } }] },
    ],
  });
  expect(output).toMatchObject({
    groupsOff: [],
    rules: [
      { do: [{ answer: { status: 418, cors: false } }] },
      { enabled: true },
      { do: [{ changeResponse: { replaceBody: [{ regex: false }] } }] },
      { do: [{ delay: { before: 'request' } }] },
      { do: [{ fail: { percent: 100, code: 8 } }] },
    ],
  });
});

describe('what a rule must not contain', () => {
  test.each([
    ['another version', { version: 2, rules: [] }, 'version'],
    ['no action', rule(), 'rules.0.do'],
    ['an action without a name', rule({}), 'needs exactly one of answer'],
    ['two actions in one', rule({ delay: { ms: 1 }, mark: {} }), 'needs exactly one of'],
    ['an unknown action', rule({ explode: {} }), 'rules.0.do.0.explode'],
    ['an unknown field', rule({ delay: { ms: 1, seconds: 2 } }), 'rules.0.do.0.delay.seconds'],
    ['a status below 200', rule({ answer: { status: 101 } }), 'rules.0.do.0.answer.status'],
    ['a line break in a field', rule({ changeRequest: { setHeaders: [['a', 'b\r\nc: d']] } }), 'setHeaders.0.1'],
    ['a field name with a space', rule({ changeRequest: { addHeaders: [['a b', 'c']] } }), 'addHeaders.0.0'],
    [
      'an empty text to find',
      rule({ changeResponse: { replaceBody: [{ find: '', with: '' }] } }),
      'replaceBody.0.find',
    ],
    ['no name', list({ name: '', do: [{ mark: {} }] }), 'rules.0.name'],
    ['a limit of 0', list({ name: 'a', limit: 0, do: [{ mark: {} }] }), 'rules.0.limit'],
  ])('%s', (_what, input, where) => {
    expect(problemOf(input)).toContain(where);
  });
});

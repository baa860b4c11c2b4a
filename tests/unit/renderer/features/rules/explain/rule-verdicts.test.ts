import * as v from 'valibot';
import { expect, test } from 'vitest';
import { ruleVerdicts } from '../../../../../../renderer/features/rules/explain/rule-verdicts.ts';
import { RuleListSchema } from '../../../../../../shared/model/rule/rule.ts';
import { exampleExchange } from '../../../../../support/example-exchange.ts';

const mark = { mark: {} };

test('shows for every rule why it applied or not', () => {
  const list = v.parse(RuleListSchema, {
    version: 1,
    groupsOff: ['g'],
    rules: [
      { name: 'off', enabled: false, do: [mark] },
      { name: 'group', group: 'g', do: [mark] },
      { name: 'method', when: 'host:example (method:PUT OR method:PATCH)', do: [mark] },
      { name: 'negated', when: '-host:example', do: [mark] },
      { name: 'spared', when: 'host:example', do: [mark] },
      { name: 'final', when: 'host:example', do: [{ answer: {} }] },
      { name: 'late', do: [mark] },
    ],
  });
  const exchange = exampleExchange({ request: { authority: 'example.test', method: 'GET' } });
  const hit = { ...exchange, rules: [{ index: 5, name: 'final', actions: ['answer'], problem: null }] };
  expect(ruleVerdicts(list, hit).map(({ isHit, reason }) => [isHit, reason])).toEqual([
    [false, 'Switched off'],
    [false, 'Its group "g" is switched off'],
    [false, 'Missed: (method:PUT OR method:PATCH) does not hold'],
    [false, 'Missed: NOT host:example does not hold'],
    [false, expect.stringContaining('matches, but it was not applied')],
    [true, 'host:example'],
    [false, 'Not reached: the final rule "final" ended the list'],
  ]);
});

test('evaluates terms about fields with what the rule knew when it acted', () => {
  const rules = [
    { name: 'request', when: 'header:x-cache', do: [{ answer: {} }] },
    { name: 'response', when: 'header:x-cache', do: [{ changeResponse: {} }] },
    { name: 'cookie', when: 'cookie:session=2', do: [mark] },
  ];
  const exchange = exampleExchange({
    request: { headers: ['Cookie', 'session=1'] },
    response: { headers: ['X-Cache', 'HIT'] },
  });
  const list = v.parse(RuleListSchema, { version: 1, rules });
  expect(ruleVerdicts(list, exchange).map(({ reason }) => reason)).toEqual([
    'Missed: header:x-cache does not hold',
    expect.stringContaining('matches, but it was not applied'),
    'Missed: cookie:session=2 does not hold',
  ]);
});

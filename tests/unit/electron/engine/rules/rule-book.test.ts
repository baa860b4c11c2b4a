import * as v from 'valibot';
import { expect, test } from 'vitest';
import { NO_RESULT } from '../../../../../electron/engine/rules/plans.ts';
import { RuleBook } from '../../../../../electron/engine/rules/rule-book.ts';
import { summaryNow } from '../../../../../shared/model/exchange-summary.ts';
import { RuleListSchema } from '../../../../../shared/model/rule/rule.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

const book = (...rules: object[]) =>
  new RuleBook(v.parse(RuleListSchema, { version: 1, rules: rules.map((rule, at) => ({ name: `${at}`, ...rule })) }));
const exchange = exampleExchange({ id: 1 });
const row = summaryNow(exchange);

test('no rules: nothing is asked', () => {
  const none = book();
  expect(none.isEmpty).toBe(true);
  expect([none.mayActOnRequest(row, []), none.mayActOnResponse(row, []), none.mayMark(row, [])]).toEqual([
    false,
    false,
    false,
  ]);
});

test('a rule with actions of both kinds counts once', () => {
  const both = book({
    limit: 1,
    do: [{ changeRequest: { method: 'PUT' } }, { changeResponse: { status: 500 } }],
  });
  const plan = both.onRequest(row, []);
  expect(plan?.changes).toMatchObject([{ change: { method: 'PUT' }, outcome: { name: '0' } }]);
  expect(both.onResponse(row, [], plan ?? NO_RESULT)?.changes).toMatchObject([{ change: { status: 500 } }]);
  expect(both.onRequest(row, [])).toBe(null);
  expect(both.onResponse(row, [], NO_RESULT)).toBe(null);
});

test('a breakpoint on both messages is part of both plans, and the first of several holds', () => {
  const rules = book({ do: [{ break: { on: 'both' } }] }, { do: [{ break: { autoContinueMs: 5 } }] });
  const plan = rules.onRequest(row, []);
  expect(plan?.hold).toEqual({ rule: '0', autoContinueMs: null });
  expect(rules.onResponse(row, [], plan ?? NO_RESULT)?.hold).toEqual({ rule: '0', autoContinueMs: null });
  expect([...rules.breaking]).toEqual(['0', '1']);
});

test('the list of a response ends where that of its request ended', () => {
  const change = { changeResponse: { status: 500 } };
  const rules = book({ do: [change] }, { do: [{ mapTo: { host: 'other' } }] }, { do: [change] });
  const plan = rules.onRequest(row, []);
  expect(plan).toMatchObject({ fate: { mapTo: { host: 'other' } }, lastIndex: 1 });
  expect(rules.onResponse(row, [], plan ?? NO_RESULT)?.outcomes.map(({ index }) => index)).toEqual([0]);
});

test('delays add up', () => {
  const rules = book({ do: [{ delay: { ms: 10 } }] }, { do: [{ delay: { ms: 5 } }, { delay: { ms: 1, upTo: 3 } }] });
  const delay = rules.onRequest(row, [])?.delayMs ?? 0;
  expect(delay).toBeGreaterThanOrEqual(16);
  expect(delay).toBeLessThanOrEqual(18);
});

test('a query that does not compile matches nothing', () => {
  expect(book({ when: 'status:x', do: [{ answer: {} }] }).isEmpty).toBe(true);
});

test('each rule counts the exchanges that it matched, once, also if it only marks them', () => {
  const rules = book(
    { do: [{ changeRequest: { method: 'PUT' } }, { changeResponse: { status: 500 } }] },
    { do: [{ mark: { colour: 'red' } }] },
    { when: 'host:elsewhere.invalid', do: [{ mark: { colour: 'red' } }] },
  );
  const since = Date.now();
  for (let times = 0; times < 2; times += 1) {
    const plan = rules.onRequest(row, []);
    rules.onResponse(row, [], plan ?? NO_RESULT);
    rules.marksOf(row, []);
  }
  expect(rules.hits()).toMatchObject([
    { name: '0', hits: 2 },
    { name: '1', hits: 2 },
  ]);
  expect(rules.hits()[0]?.lastHit).toBeGreaterThanOrEqual(since);
});

const answer = { do: [{ answer: {} }] };
const namesOf = (plan: { outcomes: readonly { name: string }[] } | null) => plan?.outcomes.map(({ name }) => name);

test('matches by fields and cookies, on the request and on the response', () => {
  const rules = book(
    { when: 'header:"x-debug: 1"', do: [{ changeRequest: { method: 'PUT' } }] },
    { when: 'header:x-cache cookie:theme=dark', do: [{ changeResponse: { status: 500 } }] },
    { when: '-header:x-debug', ...answer },
    { when: 'header:x-sum', do: [{ mark: { colour: 'red' } }] },
  );
  const request = ['X-Debug', '1', 'Cookie', 'a=b; theme=dark'];
  const response = ['X-Cache', 'HIT'];
  expect(namesOf(rules.onRequest(row, [request]))).toEqual(['0']);
  expect(namesOf(rules.onRequest({ ...row }, [['X-Debug', '2']]))).toBe(undefined);
  expect(namesOf(rules.onRequest({ ...row }, [['Accept', '*/*']]))).toEqual(['2']);
  expect(namesOf(rules.onResponse({ ...row }, [request, response], NO_RESULT))).toEqual(['1']);
  expect(namesOf(rules.onResponse({ ...row }, [request, []], NO_RESULT))).toBe(undefined);
  expect(rules.marksOf({ ...row }, [request, [], response, ['X-Sum', '1']]).mark).toEqual({ colour: 'red' });
});

test('a rule on a field that the message does not have is not even a candidate', () => {
  const rules = book({ when: 'header:x-debug', ...answer }, { when: 'cookie:theme=dark', ...answer });
  expect(rules.mayActOnRequest(row, [['Accept', '*/*', 'Cookie', 'theme=light']])).toBe(false);
  expect(rules.mayActOnRequest(row, [['X-Debug', '']])).toBe(true);
  expect(rules.mayActOnRequest(row, [['Cookie', 'theme=dark']])).toBe(true);
});

test.each(['header:"authorization: Bearer 1"', 'cookie:session=1', '-header:x-debug', 'method:PUT header:x-user'])(
  'answers the preflight of a request that may match %s',
  (when) => {
    const rules = book({ when, do: [{ answer: { cors: true } }] });
    const preflight = { ...row, method: 'OPTIONS' };
    const fields = ['Origin', 'https://a.test', 'Access-Control-Request-Method', 'PUT', 'X-Debug', '1'];
    expect(namesOf(rules.onRequest(preflight, [fields]))).toEqual(['0']);
    expect(namesOf(rules.onRequest({ ...preflight }, [['X-Debug', '1']]))).toBe(undefined);
  },
);

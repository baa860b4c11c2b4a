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
  expect([none.mayActOnRequest(row), none.mayActOnResponse(row), none.mayMark(row)]).toEqual([false, false, false]);
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

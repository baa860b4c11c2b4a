import * as v from 'valibot';
import { expect, test } from 'vitest';
import { isSummaryRow } from '../../../../shared/contract/row-text.ts';
import { ExchangeSummarySchema, summaryOf, summaryRow } from '../../../../shared/model/exchange-summary.ts';
import {
  ABSENT,
  SUMMARY_COLUMNS,
  SUMMARY_NAMES,
  summaryCells,
  summaryPath,
} from '../../../../shared/model/summary-columns.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';

test('cells are in the order of their columns', () => {
  expect(Object.keys(summaryCells(exampleExchange({ id: 1 })))).toEqual(Object.keys(SUMMARY_COLUMNS));
});

test('released columns keep their places: session files hold rows without names', () => {
  expect(Object.keys(SUMMARY_COLUMNS).slice(0, 28).join(' ')).toBe(
    'id revision kind state startedAt method scheme authority path status protocol mediaType requestSize ' +
      'responseSize ' +
      'blocked dns connect ssl send wait receive overheadRequest overheadResponse clientConnection ' +
      'upstreamConnection ' +
      'attempts failureCode failedTries',
  );
  expect([summaryPath('id'), summaryPath('failureCode')]).toEqual(['$[0]', '$[26]']);
});

test('a row that is older than a column gets the value for its absence', () => {
  const row = summaryRow(exampleExchange({ id: 7 }));
  const first = Object.keys(SUMMARY_COLUMNS).indexOf('failedTries');
  const older = summaryOf(row.slice(0, first));
  expect(older).toMatchObject({
    timings: { failedTries: -1, rules: -1, rulesResponse: -1 },
    touched: 0,
    colour: null,
    replayOf: 0,
  });
  expect(Object.keys(SUMMARY_COLUMNS).slice(first)).toEqual(Object.keys(ABSENT));
  expect(v.is(ExchangeSummarySchema, older)).toBe(true);
});

test('a summary has each cell in its field', () => {
  const { timings, ...fields } = summaryOf(SUMMARY_NAMES);
  const named = Object.entries({ ...fields, ...timings }).filter(([name]) => Object.hasOwn(SUMMARY_COLUMNS, name));
  expect(named.map(([, cell]) => cell)).toEqual(named.map(([name]) => name));
  expect(named.map(([name]) => name).sort()).toEqual([...SUMMARY_NAMES].sort());
});

test('summaries share no timings', () => {
  const row = summaryRow(exampleExchange({ id: 7 }));
  const [one, other] = [summaryOf(row), summaryOf(row)];
  one.timings.wait = 5;
  expect(other.timings.wait).toBe(73);
});

test('a row needs each of its cells, of the right type', () => {
  const row = summaryRow(exampleExchange({ id: 7 }));
  expect(isSummaryRow(row)).toBe(true);
  expect(isSummaryRow(row.slice(0, -1))).toBe(false);
  expect(isSummaryRow([...row, 1])).toBe(false);
  for (const [at, cell] of row.entries()) {
    const wrong = typeof cell === 'number' ? [Number.NaN, '1', null] : [1, undefined, true];
    for (const value of wrong) expect(isSummaryRow(row.with(at, value))).toBe(false);
  }
  expect(isSummaryRow(row.with(3, 'ended'))).toBe(false);
});

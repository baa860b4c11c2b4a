import fc from 'fast-check';
import { expect, test } from 'vitest';
import { columnsText } from '../../../../../electron/session/read/columns-text.ts';
import { columnsIn, pageRow } from '../../../../../shared/contract/row-columns.ts';
import { SUMMARY_NAMES } from '../../../../../shared/model/summary-columns.ts';
import { sampleCells } from '../../../../support/sample-inspector/sample-rows.ts';

const [ID, STARTED] = [0, SUMMARY_NAMES.indexOf('startedAt')];

const rows = Array.from({ length: 40 }, (_, at) =>
  sampleCells(at + 1, {
    path: `/items/${at}`,
    method: at % 3 === 0 ? 'POST' : 'GET',
    failureCode: at === 7 ? 'upstream.refused' : null,
  }),
);

test('columns hold every cell of the rows', () => {
  const columns = columnsIn(JSON.parse(columnsText(rows)), rows.length) ?? [];
  expect(rows.map((_, at) => pageRow({ count: rows.length, columns }, at))).toEqual(rows);
});

test('a page without rows has its columns', () => {
  expect(columnsIn(JSON.parse(columnsText([])), 0)).not.toBeNull();
});

test('texts that many rows have are sent once', () => {
  const text = columnsText(rows);
  expect(text.match(/POST/g)).toHaveLength(1);
  expect(text.match(/upstream.refused/g)).toHaveLength(1);
});

/** The column of the start, as it is sent. */
function startsOf(numbers: readonly number[]) {
  const page = numbers.map((startedAt, at) => sampleCells(at + 1).with(STARTED, startedAt));
  return { sent: JSON.parse(columnsText(page))[STARTED], page };
}

test.each([
  ['microseconds of one recording', [1_790_000_000_000.001, 1_790_000_000_123.456, 1_790_000_060_000.999], 1000],
  ['whole numbers', [-1, 0, 2 ** 31 - 2], 1],
])('%s are packed', (_what, numbers, per) => {
  expect(startsOf(numbers).sent).toMatchObject({ from: Math.round((numbers[0] ?? 0) * per), per });
});

test.each([
  ['more than three decimals', [0.0001, 1]],
  ['what lies further apart than 31 bits', [0, 2 ** 31]],
  ['what is too large for microseconds', [9e15 + 1, 0.5]],
])('%s is sent as it is', (_what, numbers) => {
  expect(startsOf(numbers).sent).toEqual({ cells: numbers });
});

test('any numbers are read as they were written', () => {
  const number = fc.oneof(
    fc.integer({ min: -1, max: 2 ** 31 }),
    fc.integer({ min: -1000, max: 2 ** 31 }).map((units) => units / 1000),
    fc.integer({ min: 1.79e15, max: 1.79e15 + 1e9 }).map((units) => units / 1000),
    // JSON has neither infinity nor a negative zero.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((any) => any + 0),
  );
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 20 }), (numbers) => {
      const { page } = startsOf(numbers);
      const columns = columnsIn(JSON.parse(columnsText(page)), page.length) ?? [];
      expect(page.map((_, at) => pageRow({ count: page.length, columns }, at))).toEqual(page);
    }),
  );
});

test('ids are packed too', () => {
  expect(JSON.parse(columnsText(rows))[ID]).toMatchObject({ from: 1, per: 1 });
});

import { expect, test } from 'vitest';
import { columnsText, isRowColumns, pageRow } from '../../../../shared/contract/row-columns.ts';
import { sampleCells } from '../../../support/sample-inspector/sample-rows.ts';

const rows = Array.from({ length: 40 }, (_, at) =>
  sampleCells(at + 1, {
    path: `/items/${at}`,
    method: at % 3 === 0 ? 'POST' : 'GET',
    failureCode: at === 7 ? 'upstream.refused' : null,
  }),
);

test('columns hold every cell of the rows', () => {
  const columns = JSON.parse(columnsText(rows));
  expect(isRowColumns(columns, rows.length)).toBe(true);
  expect(rows.map((_, at) => pageRow({ count: rows.length, columns }, at))).toEqual(rows);
});

test('a page without rows has its columns', () => {
  expect(isRowColumns(JSON.parse(columnsText([])), 0)).toBe(true);
});

test('texts that many rows have are sent once', () => {
  const text = columnsText(rows);
  expect(text.match(/POST/g)).toHaveLength(1);
  expect(text.match(/upstream.refused/g)).toHaveLength(1);
});

test.each([
  ['a place outside the texts', { of: ['GET'], at: [0, 1] }],
  ['a place that is no number', { of: ['GET'], at: [0, '0'] }],
  ['too few places', { of: ['GET'], at: [0] }],
  ['no cells', {}],
  ['a wrong shared cell', { same: 7 }],
  ['null', null],
])('a column with %s is refused', (_what, method) => {
  const columns = JSON.parse(columnsText(rows.slice(0, 2)));
  expect(isRowColumns(columns.with(5, { same: 'GET' }), 2)).toBe(true);
  expect(isRowColumns(columns.with(5, method), 2)).toBe(false);
});

import { expect, test } from 'vitest';
import { columnsText } from '../../../../electron/session/read/columns-text.ts';
import { columnsIn, pageRow } from '../../../../shared/contract/row-columns.ts';
import { SUMMARY_NAMES } from '../../../../shared/model/summary-columns.ts';
import { sampleCells } from '../../../support/sample-inspector/sample-rows.ts';

const TWO = JSON.parse(columnsText([sampleCells(1), sampleCells(2)]));
const [ID, METHOD, WAIT] = [0, SUMMARY_NAMES.indexOf('method'), SUMMARY_NAMES.indexOf('wait')];

test.each([
  ['a place outside the texts', { of: ['GET'], at: [0, 1] }],
  ['a place that is no number', { of: ['GET'], at: [0, '0'] }],
  ['too few places', { of: ['GET'], at: [0] }],
  ['no cells', {}],
  ['a wrong shared cell', { same: 7 }],
  ['numbers', { from: 0, per: 1, offsets: '##' }],
  ['null', null],
])('a column with %s is refused', (_what, method) => {
  expect(columnsIn(TWO.with(METHOD, { same: 'GET' }), 2)).not.toBeNull();
  expect(columnsIn(TWO.with(METHOD, method), 2)).toBeNull();
});

test('packed numbers are the lowest and what lies between', () => {
  const columns = columnsIn(TWO.with(WAIT, { from: -1000, per: 1000, offsets: '#$%#' }), 2) ?? [];
  expect([0, 1].map((at) => pageRow({ count: 2, columns }, at)[WAIT])).toEqual([-0.999, -0.872]);
});

test.each([
  ['a character that is no digit', WAIT, { from: 0, per: 1, offsets: '#"' }],
  ['a backslash', WAIT, { from: 0, per: 1, offsets: '#\\' }],
  ['a character beyond the digits', WAIT, { from: 0, per: 1, offsets: '#d' }],
  ['too few digits', WAIT, { from: 0, per: 1, offsets: '###' }],
  ['digits that are no text', WAIT, { from: 0, per: 1, offsets: [1, 2] }],
  ['another unit', WAIT, { from: 0, per: 10, offsets: '##' }],
  ['a fraction as the lowest', WAIT, { from: 0.5, per: 1, offsets: '##' }],
  ['a part of an id', ID, { from: 1500, per: 1000, offsets: '##' }],
  ['a negative id', ID, { from: -1, per: 1, offsets: '##' }],
])('packed numbers with %s are refused', (_what, column, packed) => {
  expect(columnsIn(TWO.with(column, { from: 1, per: 1, offsets: '##' }), 2)).not.toBeNull();
  expect(columnsIn(TWO.with(column, packed), 2)).toBeNull();
});

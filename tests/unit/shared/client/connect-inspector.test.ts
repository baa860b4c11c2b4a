import { expect, test } from 'vitest';
import { columnsText } from '../../../../electron/session/read/columns-text.ts';
import { connectInspector } from '../../../../shared/client/connect-inspector.ts';
import type { Transport } from '../../../../shared/client/transport.ts';
import { pageRow } from '../../../../shared/contract/row-columns.ts';
import { type SummaryRow, summaryRow } from '../../../../shared/model/exchange-summary.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';

const ROW = summaryRow(exampleExchange({ id: 4 }));

/** A page of rows as a host answers it with `value`, and what was reported. */
async function pageOf(value: unknown) {
  const problems: string[] = [];
  const transport: Transport = {
    send: async ({ call }) => ({ call, ok: true, value }),
    onMessage: () => {},
    onConnection: (listener) => listener(true),
  };
  const api = connectInspector(transport, (sentence) => problems.push(sentence));
  const page = await api.request('exchanges.rows', { session: 's', after: 0, limit: 9 }).catch((error) => error.code);
  return { page, problems };
}

/** The page of these rows, as a host sends it. */
const sent = (rows: SummaryRow[], badRows = 0) => ({
  ...{ columns: columnsText(rows), count: rows.length, last: 4, more: false, badRows },
});

test('a page of rows is checked; rows that the host left out are reported once', async () => {
  const { page, problems } = await pageOf(sent([ROW, ROW.with(0, 5)], 3));
  expect([pageRow(page, 0), pageRow(page, 1), page.count]).toEqual([ROW, ROW.with(0, 5), 2]);
  expect(problems).toHaveLength(1);
});

test.each([
  ['no JSON', { ...sent([ROW]), columns: '[' }],
  ['no array', { ...sent([ROW]), columns: '{}' }],
  ['no text', { ...sent([ROW]), columns: [] }],
  ['no end', { ...sent([ROW]), last: undefined }],
  ['a missing column', { ...sent([ROW]), columns: '[]' }],
  ['a fractional id', sent([ROW.with(0, 1.5)])],
  ['a cell of another type', sent([ROW, ROW.with(8, null)])],
  ['a cell too few', { ...sent([ROW, ROW.with(0, 5)]), count: 3 }],
])('a page with %s is refused', async (_what, value) => {
  expect(await pageOf(value)).toEqual({ page: 'contract.not-a-message', problems: [] });
});

import { expect, test } from 'vitest';
import { connectInspector } from '../../../../shared/client/connect-inspector.ts';
import type { Transport } from '../../../../shared/client/transport.ts';
import { summaryRow } from '../../../../shared/model/exchange-summary.ts';
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

test('a page of rows is checked in one pass; invalid rows are left out and reported once', async () => {
  const rows = [ROW, ROW.with(0, 1.5), ROW.with(0, -1), ROW.slice(0, 20), ROW.with(8, null), 'row'];
  const { page, problems } = await pageOf({ rows: JSON.stringify(rows), last: 4, more: false });
  expect(page).toEqual({ rows: [ROW], last: 4, more: false, badRows: 5 });
  expect(problems).toHaveLength(1);
});

test('a row of an older session file gets the cells that it lacks', async () => {
  const { page, problems } = await pageOf({ rows: JSON.stringify([ROW.slice(0, 27)]), last: 4, more: true });
  expect([page.rows, problems]).toEqual([[ROW], []]);
});

test.each([
  ['no JSON', { rows: '[', last: 0, more: false }],
  ['no array', { rows: '{}', last: 0, more: false }],
  ['no text', { rows: [], last: 0, more: false }],
  ['no end', { rows: '[]', more: false }],
])('a page with %s is refused', async (_what, value) => {
  expect(await pageOf(value)).toEqual({ page: 'contract.not-a-message', problems: [] });
});

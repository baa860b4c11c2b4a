import * as v from 'valibot';
import { expect, test } from 'vitest';
import { FeedBatchSchema } from '../../../../shared/contract/events.ts';
import { summaryRow } from '../../../../shared/model/exchange-summary.ts';
import { SUMMARY_NAMES, summaryCells } from '../../../../shared/model/summary-columns.ts';
import { exampleExchange } from '../../../support/example-exchange.ts';
import { received } from '../../../support/received-batch.ts';

const batch = (rows: unknown) => ({ sessionId: 's', sequence: 3, at: 1, rows: JSON.stringify(rows) });

test('a batch has rows, each cell where it belongs', () => {
  const exchange = exampleExchange({
    id: 9,
    failure: null,
    response: { body: { size: 7, stored: 7, complete: true } },
  });
  const { rows, badRows, sequence } = received(batch([summaryRow(exchange)]));
  expect({ badRows, sequence }).toEqual({ badRows: 0, sequence: 3 });
  expect(rows).toMatchObject([
    {
      ...{ id: 9, revision: 1, kind: 'http', state: 'complete', startedAt: 1_790_000_000_000.125, method: 'GET' },
      ...{ scheme: 'https', authority: 'api.test', path: '/v1/items?page=2', status: 200, protocol: 'http/1.1' },
      ...{ mediaType: 'application/json', requestSize: 0, responseSize: 7, timings: exchange.timings, ttfb: 73 },
      ...{ total: expect.closeTo(108.775, 6), overhead: expect.closeTo(0.11, 6), clientConnection: 1 },
      ...{ upstreamConnection: 2, attempts: 1, failureCode: null, touched: 0, colour: null, replayOf: 0 },
    },
  ]);
  // A column that is added later too.
  const named: Record<string, unknown> = { ...rows[0], ...rows[0]?.timings };
  expect(SUMMARY_NAMES.map((name) => [name, named[name]])).toEqual(Object.entries(summaryCells(exchange)));
});

test('an invalid row is counted and left out, and the rest of its batch is kept', () => {
  const good = summaryRow(exampleExchange({ id: 1 }));
  const bad = [null, {}, [], good.slice(1), [...good.slice(0, 2), 'other', ...good.slice(3)]];
  const { rows, badRows } = received(batch([bad[0], good, ...bad.slice(1)]));
  expect(rows.map(({ id }) => id)).toEqual([1]);
  expect(badRows).toBe(bad.length);
});

test.each(['', '{', '{}', 'null', '7'])('rows that are %j are refused', (rows) => {
  expect(v.safeParse(FeedBatchSchema, { sessionId: 's', sequence: 1, at: 1, rows }).success).toBe(false);
});

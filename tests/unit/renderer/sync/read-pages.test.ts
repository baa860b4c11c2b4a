import { expect, test } from 'vitest';
import { ExchangeTable } from '../../../../renderer/state/exchange-table.ts';
import { readRows, readSession } from '../../../../renderer/sync/read-pages.ts';
import type { InspectorApi } from '../../../../shared/contract/inspector-api.ts';
import type { SessionEdits } from '../../../../shared/model/edits/session-edits.ts';
import { samplePage } from '../../../support/sample-inspector/sample-page.ts';
import { sampleCells } from '../../../support/sample-inspector/sample-rows.ts';

interface Asked {
  after: number | null;
  limit: number;
}

/** A host with rows of these ids, and what a window asked of it; `hold`: nothing is answered until `release`. */
function hostOf(ids: readonly number[], { hold = false, edits = { removed: [], marks: [] } as SessionEdits } = {}) {
  const asked: (Asked | 'edits')[] = [];
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  /** Pages after the newest that were requested and not yet answered. */
  const open = { now: 0, most: 0 };
  const page = ({ after, limit }: Asked) => {
    const from = after === null ? Math.max(0, ids.length - limit) : ids.findIndex((id) => id > after);
    const found = from < 0 ? [] : ids.slice(from, from + limit);
    const more = after === null ? found.length < ids.length : found.at(-1) !== ids.at(-1);
    return { ...samplePage(found.map((id) => sampleCells(id))), last: found.at(-1) ?? 0, more, badRows: 0 };
  };
  const request = async (name: string, input: Asked) => {
    if (name === 'session.edits') {
      asked.push('edits');
      if (hold) await released;
      return edits;
    }
    const isOlder = input.after !== null;
    asked.push({ after: input.after, limit: input.limit });
    open.now += Number(isOlder);
    open.most = Math.max(open.most, open.now);
    await (hold ? released : new Promise((resolve) => setImmediate(resolve)));
    open.now -= Number(isOlder);
    return page(input);
  };
  return { api: { request } as unknown as InspectorApi, asked, open, release: () => release() };
}

const idsTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

test('asks for the newest rows together with the edits, without waiting for those', async () => {
  const { api, asked, release } = hostOf(idsTo(10), { hold: true });
  const reading = readSession(api, new ExchangeTable());
  expect(asked).toEqual(['edits', { after: null, limit: 500 }]);
  release();
  expect(await reading).toBe(true);
});

test('reads several pages in parallel, and returns each row once', async () => {
  const { api, asked, open } = hostOf(idsTo(20_700));
  const table = new ExchangeTable();
  await readSession(api, table);
  expect(table.visible).toEqual(idsTo(20_700));
  expect(open.most).toBe(8);
  expect(asked).toHaveLength(2 + 21);
});

test('reads the rows of a session whose ids have gaps, without a page for each gap', async () => {
  const ids = idsTo(9000).map((id) => (id > 3000 ? id + 1_000_000 : id));
  const { api, asked } = hostOf(ids);
  const table = new ExchangeTable();
  await readSession(api, table);
  expect(table.visible).toEqual(ids);
  expect(asked.length).toBeLessThan(20);
});

test('draws no removed row, and stops when the window no longer needs the rows', async () => {
  const removed = [{ first: 1, last: 700 }] as unknown as SessionEdits['removed'];
  const edits = { removed, marks: [] };
  const { api } = hostOf(idsTo(700), { edits });
  const table = new ExchangeTable();
  expect(await readSession(api, table)).toBe(true);
  expect(table.size).toBe(0);
  const newest = await api.request('exchanges.rows', { session: '', after: null, limit: 500 });
  expect(await readRows(api, table, { edits: { removed: [], marks: [] }, newest }, () => false)).toBe(false);
  expect(table.size).toBe(newest.count);
});

test('rejects if a page can’t be read, even while later ones are being read', async () => {
  const { api } = hostOf(idsTo(20_000));
  const failing = {
    request: async (name: string, input: Asked) => {
      if (input.after === 2000) throw new Error('the disk is gone');
      return await api.request(name as 'exchanges.rows', input as never);
    },
  } as unknown as InspectorApi;
  await expect(readSession(failing, new ExchangeTable())).rejects.toThrow('the disk is gone');
});

import { expect, test } from 'vitest';
import { SessionTables } from '../../../../renderer/state/session-tables.ts';
import { createWindowStore, showSession } from '../../../../renderer/state/window-state.ts';
import { syncSessions } from '../../../../renderer/sync/session-sync.ts';
import type { InspectorApi } from '../../../../shared/contract/inspector-api.ts';
import type { SummaryRow } from '../../../../shared/model/exchange-summary.ts';
import { samplePage } from '../../../support/sample-inspector/sample-page.ts';
import { sampleCells } from '../../../support/sample-inspector/sample-rows.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));
const info = (id: string) => ({ id, path: `/tmp/${id}.roundtrip`, exchanges: 2, bytes: 1 });

/** A host with the session `rec` and these opened ones; each session holds its own rows. */
function start(opened: string[]) {
  /** As many as a window asks for first, then the others. */
  const newest = Array.from({ length: 500 }, (_, at) => sampleCells(at + 3));
  const pageOf = (rows: SummaryRow[], last: number, more: boolean) => ({
    ...{ ...samplePage(rows), last, more, badRows: 0 },
  });
  const read: string[] = [];
  let changed: (payload: { sessions: unknown[] }) => void = () => {};
  const list = (ids: string[]) => ({ sessions: ['rec', ...ids].map(info) });
  const api = {
    request: async (name: string, input: { session: string; after: number | null }) => {
      if (name === 'sessions.list') return list(opened);
      if (name === 'session.edits') return { removed: [], marks: [] };
      if (input.after === null) return pageOf(newest, 502, true);
      read.push(`${input.session} after ${input.after}`);
      return pageOf([sampleCells(1), sampleCells(2)], 2, true);
    },
    on: (event: string, listener: typeof changed) => {
      if (event === 'sessions.changed') changed = listener;
      return () => {};
    },
    onConnection: (listener: (connected: boolean) => void) => {
      listener(true);
      return () => {};
    },
  } as unknown as InspectorApi;
  const store = createWindowStore();
  const arranged: unknown[] = [];
  const tables = new SessionTables((table) => arranged.push(table));
  syncSessions(api, store, tables);
  return { store, tables, read, arranged, change: (ids: string[]) => changed(list(ids)) };
}

test('sessions that are already open get tabs and all their rows, and are not shown', async () => {
  const { store, tables, read, arranged } = start(['old']);
  await settle();
  expect(store.getState()).toMatchObject({ shown: null, opened: [info('old')] });
  expect(read).toEqual(['old after 0']);
  expect([tables.of('old').visible, tables.of('old').sessionId]).toEqual([
    Array.from({ length: 502 }, (_, at) => at + 1),
    'old',
  ]);
  expect(arranged).toEqual([tables.recorded, tables.of('old')]);
});

test('a session that is opened is shown, and a closed one leaves the recorded session', async () => {
  const { store, tables, change } = start([]);
  await settle();
  store.setState({ selected: 7 });
  change(['old']);
  expect(store.getState()).toMatchObject({ shown: 'old', selected: null });
  await settle();
  store.setState({ selected: 2 });
  change([]);
  expect(store.getState()).toMatchObject({ shown: null, selected: null, opened: [] });
  expect(tables.of('old')).toBe(tables.recorded);
});

test('the shown session stays if another one is closed', async () => {
  const { store, change, read } = start(['one', 'two']);
  await settle();
  showSession(store, 'two');
  store.setState({ selected: 2 });
  const before = read.length;
  change(['two']);
  expect(store.getState()).toMatchObject({ shown: 'two', selected: 2 });
  expect(read).toHaveLength(before);
});

import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { applyEdit } from '../../../../../electron/session/edit/apply-edit.ts';
import { SessionReader } from '../../../../../electron/session/read/session-reader.ts';
import type { RowPage } from '../../../../../shared/contract/requests/exchange-requests.ts';
import { columnsIn, pageCell } from '../../../../../shared/contract/row-columns.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';
import { record, startRecorder } from '../../../../support/recording.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** A session that is still being recorded, with six exchanges. */
async function recording() {
  const file = path.join(temporaryFolder(), 'live.roundtrip');
  const recorder = await startRecorder(file);
  const add = async (id: number) => {
    record(recorder, exampleExchange({ id }), { response: Buffer.from(`body ${id}`) });
    await recorder.flush();
  };
  for (let id = 1; id <= 6; id += 1) await add(id);
  const reader = new SessionReader(file);
  onTestFinished(async () => {
    reader.close();
    await recorder.close();
  });
  return { file, reader, add, ids: () => reader.page(0, 100).rows.map(({ id }) => id) };
}

function idsIn({ columns, count }: RowPage): unknown[] {
  const [ids] = columnsIn(JSON.parse(columns), count) ?? [];
  return Array.from({ length: count }, (_, at) => pageCell(ids, at));
}

it('hides rows from pages and totals, and restores them', async () => {
  const { file, reader, ids } = await recording();
  expect(reader.edits()).toEqual({ removed: [], marks: [] });
  applyEdit(file, { kind: 'remove', ids: [2, 3, 3] });
  expect(ids()).toEqual([1, 4, 5, 6]);
  expect(reader.columns(null, 3)).toMatchObject({ last: 6, more: true });
  expect(reader.columns(1, 2)).toMatchObject({ last: 5, more: true });
  expect(idsIn(reader.columns(null, 3))).toEqual([4, 5, 6]);
  expect(idsIn(reader.columns(1, 2))).toEqual([4, 5]);
  expect(reader.columns(6, 2)).toMatchObject({ count: 0, last: 0, more: false, badRows: 0 });
  expect([reader.info().exchanges, reader.totals(0, 100)?.rows]).toEqual([4, 4]);
  applyEdit(file, { kind: 'restore', ranges: [{ first: 3, last: 3 }] });
  expect(ids()).toEqual([1, 3, 4, 5, 6]);
  expect(reader.edits().removed).toEqual([{ first: 2, last: 2 }]);
});

it('clears while recording continues; only the last clear can be undone', async () => {
  const { file, reader, add, ids } = await recording();
  applyEdit(file, { kind: 'clear', upTo: 4 });
  await add(7);
  expect(ids()).toEqual([5, 6, 7]);
  applyEdit(file, { kind: 'clear', upTo: 6 });
  expect(ids()).toEqual([7]);
  await vi.waitFor(() => expect(() => reader.get(4)).toThrow('There is no exchange 4'));
  applyEdit(file, { kind: 'restore', ranges: [{ first: 0, last: 6 }] });
  expect(ids()).toEqual([5, 6, 7]);
  expect(Buffer.concat([...reader.bodyPieces(5, 'response')]).toString()).toBe('body 5');
});

it('keeps marks until they are empty', async () => {
  const { file, reader } = await recording();
  const mark = { pinned: true, colour: 'red' as const, note: 'look here' };
  applyEdit(file, { kind: 'mark', ids: [1, 5], mark });
  expect(reader.edits().marks).toEqual([
    { id: 1, mark },
    { id: 5, mark },
  ]);
  applyEdit(file, { kind: 'mark', ids: [1], mark: { pinned: false, colour: null, note: '' } });
  expect(reader.edits().marks.map(({ id }) => id)).toEqual([5]);
});

it('says why a file cannot be changed', () => {
  const file = path.join(temporaryFolder(), 'none', 'a.roundtrip');
  expect(() => applyEdit(file, { kind: 'remove', ids: [1] })).toThrow(`The session file ${file} could not be changed`);
});

it('does not make a new file in the place of one that was removed', async () => {
  const file = path.join(temporaryFolder(), 'a.roundtrip');
  await (await startRecorder(file)).close();
  rmSync(file);
  expect(() => applyEdit(file, { kind: 'remove', ids: [1] })).toThrow(
    `The session file ${file} could not be changed: it was removed. Nothing in it was changed.`,
  );
  expect(existsSync(file)).toBe(false);
});

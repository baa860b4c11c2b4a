import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { AgentContext } from '../../../../../electron/mcp/agent-context.ts';
import { matchingRows } from '../../../../../electron/mcp/read/rows.ts';
import type { InspectorApi } from '../../../../../shared/contract/inspector-api.ts';
import { exampleRow } from '../../../../support/example-row.ts';

/** Two pages, each in a later turn of the event loop; the session "gone" has none. */
function pagesOf(note: (change: number) => void): InspectorApi {
  const request = async (name: string, { after, session }: { after: number; session: string }) => {
    if (name !== 'exchanges.page') throw new Error(name);
    note(1);
    await setImmediate();
    note(-1);
    if (session === 'gone') throw new Error('no such session');
    return { rows: [exampleRow({ id: after + 1 })], more: after === 0, badRows: 0 };
  };
  return { request, onConnection: () => () => undefined } as unknown as InspectorApi;
}

it('pages of rows are read one at a time, whatever calls are under way', async () => {
  let underWay = 0;
  let most = 0;
  const api = pagesOf((change) => {
    underWay += change;
    most = Math.max(most, underWay);
  });
  const context = new AgentContext({ api, download: null, folder: '' });
  const ids = async (session: string) => {
    const found: number[] = [];
    for await (const { id } of matchingRows(context, { session, query: '' })) found.push(id);
    return found;
  };
  const calls = ['a', 'gone', 'b', 'c'].map((session) => ids(session).catch(() => null));
  expect(await Promise.all(calls)).toEqual([[1, 2], null, [1, 2], [1, 2]]);
  expect(most).toBe(1);
});

import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { AgentContext } from '../../../../../electron/mcp/agent-context.ts';
import { body } from '../../../../../electron/mcp/tools/body.ts';
import type { InspectorApi } from '../../../../../shared/contract/inspector-api.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

it('bodies are read one at a time, whatever calls are under way', async () => {
  const order: number[] = [];
  const request = async (name: string, { id }: { id: number }) => {
    order.push(id);
    await setImmediate();
    if (name === 'exchanges.get') return exampleExchange({ id });
    if (name !== 'body.read' || id === 2) throw new Error(name);
    return { data: Buffer.from(`body ${id}`).toString('base64'), problem: null, complete: true };
  };
  const api = { request, onConnection: () => () => undefined } as unknown as InspectorApi;
  const context = new AgentContext({ api, download: null, folder: '' });
  const { signal } = new AbortController();
  const input = { side: 'response', offset: 0, length: 10, toFile: false, session: 'a' };
  const read = (id: number) => body.run({ ...input, id }, context, signal).catch(() => null);
  expect(await Promise.all([1, 2, 3].map(read))).toMatchObject([{ text: 'body 1' }, null, { text: 'body 3' }]);
  expect(order).toEqual([1, 1, 2, 2, 3, 3]);
});

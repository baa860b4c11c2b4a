import { expect, test } from 'vitest';
import { createWindowStore } from '../../../../renderer/state/window-state.ts';
import { syncHost } from '../../../../renderer/sync/host-sync.ts';
import type { InspectorApi } from '../../../../shared/contract/inspector-api.ts';

test('trust stores are probed once the window can be used, and Java’s, which starts a program, never', async () => {
  const asked: [string, unknown][] = [];
  const replies: Record<string, unknown> = {
    'app.info': { platform: 'linux' },
    'clients.list': { clients: [] },
    'breaks.list': { messages: [] },
    'ca.status': { stores: [{ state: 'not-trusted' }, { state: 'trusted' }] },
  };
  const api = {
    request: async (name: string, input: unknown) => {
      asked.push([name, input]);
      return replies[name] ?? null;
    },
    on: () => () => {},
    onConnection: (listener: (connected: boolean) => void) => {
      listener(true);
      return () => {};
    },
  } as unknown as InspectorApi;
  const store = createWindowStore();
  syncHost(api, store);
  await expect.poll(() => asked.map(([name]) => name)).toContain('system-proxy.status');
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked.map(([name]) => name)).not.toContain('ca.status');
  store.setState({ loaded: true });
  await expect.poll(() => store.getState().trusted).toBe(true);
  const stores = ['system', 'nss', 'firefox', 'keychain', 'windows', 'environment'];
  expect(asked.at(-1)).toEqual(['ca.status', { stores }]);
});

import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { logProblem, type WindowStore } from '../state/window-state.ts';

/** Keeps settings, engine status and progress what the host says they are. */
export function syncHost(api: InspectorApi, store: WindowStore): void {
  api.on('settings.changed', (settings) => store.setState({ settings }));
  api.on('engine.status', (engine) => store.setState({ engine }));
  api.on('system-proxy.changed', (systemProxy) => store.setState({ systemProxy }));
  api.on('clients.changed', ({ clients }) => store.setState({ clients }));
  api.on('har.progress', (exporting) => {
    if (store.getState().exporting !== null) store.setState({ exporting });
  });
  api.onConnection((connected) => {
    store.setState(({ everConnected }) => ({ connected, everConnected: everConnected || connected }));
    if (connected) void read(api, store);
  });
}

async function read(api: InspectorApi, store: WindowStore): Promise<void> {
  try {
    const [settings, engine, info, { clients }] = await Promise.all([
      api.request('settings.get', {}),
      api.request('engine.status', {}),
      api.request('app.info', {}),
      api.request('clients.list', {}),
    ]);
    store.setState({ settings, engine, platform: info.platform, clients });
    store.setState({ systemProxy: await api.request('system-proxy.status', {}) });
    const { stores } = await api.request('ca.status', {});
    store.setState({ trusted: stores.some(({ state }) => state === 'trusted') });
  } catch (error) {
    logProblem(store, error instanceof Error ? error.message : 'The host could not be read.');
  }
}

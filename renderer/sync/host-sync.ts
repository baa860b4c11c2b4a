import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { TRUST_STORES } from '../../shared/model/trust-store.ts';
import { logProblem, type WindowStore } from '../state/window-state.ts';

/** Mirrors settings, engine status, clients, system proxy and export progress from the host into the store. */
export function syncHost(api: InspectorApi, store: WindowStore): void {
  api.on('settings.changed', (settings) => store.setState({ settings }));
  api.on('rules.changed', (rules) => store.setState({ rules }));
  api.on('breaks.changed', ({ messages }) => store.setState({ held: messages }));
  api.on('engine.status', (engine) => store.setState({ engine }));
  api.on('system-proxy.changed', (systemProxy) => store.setState({ systemProxy }));
  api.on('clients.changed', ({ clients }) => store.setState({ clients }));
  api.on('lab.progress', (measuring) => {
    // As below: progress may arrive after the end.
    if (store.getState().measuring !== null) store.setState({ measuring });
  });
  api.on('har.progress', (exporting) => {
    // Progress that arrives after the export ended or was cancelled must not bring the dialog's bar back.
    if (store.getState().exporting !== null) store.setState({ exporting });
  });
  api.onConnection((connected) => {
    store.setState(({ everConnected }) => ({ connected, everConnected: everConnected || connected }));
    if (connected) void read(api, store);
    // The host releases all messages when its last window closes.
    else store.setState({ held: [] });
  });
}

/** Stores that the toolbar's dot reflects at startup. Java's would start its keytool each time: 300 ms of CPU. */
const AT_START = TRUST_STORES.filter((name) => name !== 'java');

/** Resolves once the window can be used: less urgent work would take CPU from that. */
function rowsRead(store: WindowStore): Promise<void> {
  if (store.getState().loaded) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = store.subscribe(({ loaded }) => {
      if (!loaded) return;
      stop();
      resolve();
    });
  });
}

/** Reads the whole state after each connect, because events sent while disconnected are lost. */
async function read(api: InspectorApi, store: WindowStore): Promise<void> {
  try {
    const [settings, engine, info, { clients }] = await Promise.all([
      api.request('settings.get', {}),
      api.request('engine.status', {}),
      api.request('app.info', {}),
      api.request('clients.list', {}),
    ]);
    store.setState({ settings, engine, platform: info.platform, clients });
    // Separate from the rest: reading the system and its trust stores takes longer, and the window is usable before.
    store.setState({ rules: await api.request('rules.get', {}) });
    store.setState({ held: (await api.request('breaks.list', {})).messages });
    store.setState({ systemProxy: await api.request('system-proxy.status', {}) });
    await rowsRead(store);
    const { stores } = await api.request('ca.status', { stores: AT_START });
    store.setState({ trusted: stores.some(({ state }) => state === 'trusted') });
  } catch (error) {
    logProblem(store, error instanceof Error ? error.message : 'Can’t read the host’s state.');
  }
}

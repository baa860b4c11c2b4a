import { type App, attempt } from '../app-context.ts';

/**
 * Opens or imports files at paths of the host's machine, one after the other. Shows failures as toasts. Closes the sessions
 * dialog when all are open and nothing was left out.
 */
export async function importFiles(app: App, paths: readonly string[]): Promise<void> {
  const { api, store } = app;
  const faults: string[] = [];
  let faultCount = 0;
  let opened = 0;
  const show = (path: string, running: boolean, read = 0, total = 0) =>
    store.setState({ importing: { path, running, read, total, faults, faultCount } });
  for (const path of paths) {
    show(path, true);
    const end = api.on('import.progress', ({ read, total }) => show(path, true, read, total));
    const done = await attempt(app, () => api.request('sessions.import', { path }));
    end();
    if (done !== null) opened += 1;
    faults.push(...(done?.faults ?? []));
    faultCount += done?.faultCount ?? 0;
    show(path, false);
  }
  if (faultCount > 0) return;
  store.setState({ importing: null });
  if (opened === paths.length && store.getState().panel === 'sessions') store.setState({ panel: null });
}

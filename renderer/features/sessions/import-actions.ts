import { InspectorError } from '../../../shared/contract/envelope.ts';
import { closeToastsAbout, showToast } from '../../state/window-state.ts';
import { type App, attempt } from '../app-context.ts';

/** `faults` is cut off at a limit; `faultCount` counts all. */
interface Imported {
  faults: readonly string[];
  faultCount: number;
}

/** Null: it failed, and a toast says why. Cancelling is not a failure. */
async function importOne({ api, store }: App, path: string): Promise<Imported | 'cancelled' | null> {
  try {
    return await api.request('sessions.import', { path });
  } catch (error) {
    if (!(error instanceof InspectorError)) throw error;
    if (store.getState().importing?.cancelled) return 'cancelled';
    showToast(store, { tone: 'error', code: error.code, message: error.message, link: null, about: 'import' });
    return null;
  }
}

/**
 * Opens or imports files at paths of the host's machine, one after the other. Shows failures as toasts. Closes the
 * sessions dialog when all are open and nothing was left out.
 */
export async function importFiles(app: App, paths: readonly string[]): Promise<void> {
  const { api, store } = app;
  closeToastsAbout(store, 'import');
  const faults: string[] = [];
  let faultCount = 0;
  let opened = 0;
  const end = api.on('import.progress', ({ read, total }) => {
    // Late progress must not bring the bar back.
    store.setState(({ importing }) => (importing?.running ? { importing: { ...importing, read, total } } : {}));
  });
  for (const path of paths) {
    store.setState({ importing: { path, running: true, cancelled: false, read: 0, total: 0, faults, faultCount } });
    const done = await importOne(app, path);
    if (done === 'cancelled') break;
    if (done === null) continue;
    opened += 1;
    faults.push(...done.faults);
    faultCount += done.faultCount;
  }
  end();
  store.setState(({ importing }) => ({
    importing: importing && faultCount > 0 ? { ...importing, running: false, faults, faultCount } : null,
  }));
  if (opened === paths.length && faultCount === 0 && store.getState().panel === 'sessions')
    store.setState({ panel: null });
}

/** Stops the running import, and those that wait after it. */
export async function cancelImport(app: App): Promise<void> {
  app.store.setState(({ importing }) => ({ importing: importing && { ...importing, cancelled: true } }));
  await attempt(app, () => app.api.request('import.cancel', {}));
}

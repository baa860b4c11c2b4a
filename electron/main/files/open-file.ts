import { dialog } from 'electron';
import type { Host } from '../../commands/host.ts';
import { showFailure } from '../trouble/show-failure.ts';

/** Faults that a message box lists. */
const LISTED = 8;

/** Reports failures and faults in a message box: the window may not be drawn yet. */
export async function openFile(host: Host, file: string): Promise<void> {
  const signal = new AbortController().signal;
  const onProgress = (read: number, total: number) => host.windows.notifyAll('import.progress', { read, total });
  try {
    const { faults, faultCount } = await host.home.openAny(file, onProgress, signal);
    if (faultCount === 0) return;
    const more = faultCount > LISTED ? [`and ${faultCount - LISTED} more`] : [];
    const detail = [...faults.slice(0, LISTED), ...more].join('\n');
    await dialog.showMessageBox({ type: 'warning', message: `Not all of ${file} could be imported.`, detail });
  } catch (error) {
    // Quitting cancels it.
    if (host.work.hasEnded) return;
    await showFailure('The file could not be opened', error);
  }
}

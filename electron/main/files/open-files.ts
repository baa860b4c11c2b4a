import { app, dialog } from 'electron';
import type { Host } from '../../commands/host.ts';
import { showFailure } from '../trouble/show-failure.ts';

/** Faults that a message box lists. */
const LISTED = 8;

/** Opens files that come from outside the window: arguments, a second launch, the desktop, Open… */
export class FileOpener {
  #host: Host | null = null;
  #waiting: string[] = [];

  /** macOS passes files before the app is ready. */
  constructor() {
    app.on('open-file', (event, file) => {
      event.preventDefault();
      this.open([file]);
    });
  }

  /** Opens the files received so far. */
  serve(host: Host): void {
    this.#host = host;
    this.open(this.#waiting.splice(0));
  }

  open(files: readonly string[]): void {
    if (this.#host === null) this.#waiting.push(...files);
    else for (const file of files) void open(this.#host, file);
  }
}

/** Reports failures and faults in a message box: the window may not be drawn yet. */
async function open(host: Host, file: string): Promise<void> {
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

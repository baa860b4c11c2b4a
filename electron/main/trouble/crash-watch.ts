import { app, BrowserWindow, dialog, type RenderProcessGoneDetails, type WebContents } from 'electron';
import { describe } from '../../failures/errors.ts';
import { PAGE_AFTER_CRASH } from '../security/page-protocol.ts';
import type { AppLog } from './app-log.ts';

/** A page that crashes more often than this within a minute is not loaded again. */
const MOST_RELOADS = 3;
const WITHIN = 60_000;

/** Within the event, Chromium still tears the page's process down and ignores a reload. Milliseconds. */
const RELOAD_AFTER = 100;

function reload(contents: WebContents, log: AppLog): void {
  setTimeout(() => {
    if (contents.isDestroyed()) return;
    contents.once('did-finish-load', () => log.info("The window's page was reloaded"));
    void contents.loadURL(PAGE_AFTER_CRASH);
  }, RELOAD_AFTER);
}

/** Reloads a crashed page. The engine and the session run on separate threads and are not affected. */
class Reloads {
  readonly #log: AppLog;
  #times: number[] = [];

  constructor(log: AppLog) {
    this.#log = log;
  }

  crashed(contents: WebContents, { reason, exitCode }: RenderProcessGoneDetails): void {
    if (reason === 'clean-exit') return;
    this.#log.error(`The window's page ended: ${reason}, exit code ${exitCode}`);
    const now = Date.now();
    this.#times = [...this.#times.filter((time) => now - time < WITHIN), now];
    if (this.#times.length <= MOST_RELOADS) reload(contents, this.#log);
    else void this.#ask(contents);
  }

  async #ask(contents: WebContents): Promise<void> {
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: "Roundtrip's window keeps crashing",
      detail: 'The proxy still runs, and everything is still recorded. The log has the reason.',
      buttons: ['Reload', 'Quit'],
      cancelId: 0,
    });
    if (response === 1) app.quit();
    else reload(contents, this.#log);
  }
}

function watchWindow(window: BrowserWindow, reloads: Reloads, log: AppLog): void {
  window.webContents.on('render-process-gone', (_event, details) => reloads.crashed(window.webContents, details));
  window.on('unresponsive', () => {
    log.error('The window is not responding');
    void dialog
      .showMessageBox(window, {
        type: 'warning',
        message: 'The window is not responding',
        detail: 'The proxy still runs, and everything is still recorded.',
        buttons: ['Wait', 'Reload'],
        cancelId: 0,
      })
      .then(({ response }) => {
        if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
      });
  });
}

/** Tells about an uncaught error. An error of a timer comes again and again: one message at a time. */
class ErrorMessage {
  #isOpen = false;

  async show(error: unknown): Promise<void> {
    if (this.#isOpen) return;
    this.#isOpen = true;
    const asks = { type: 'error' as const, message: 'Internal error', buttons: ['Continue', 'Quit'], cancelId: 0 };
    const help = 'The proxy still runs. Help, "Report a problem", describes how to report this.';
    const { response } = await dialog.showMessageBox({ ...asks, detail: `${describe(error)}\n\n${help}` });
    this.#isOpen = false;
    if (response === 1) app.quit();
  }
}

/** Logs uncaught errors, and keeps the app running: the proxy and the session have separate threads. */
export function watchForCrashes(log: AppLog): void {
  const reloads = new Reloads(log);
  const message = new ErrorMessage();
  for (const window of BrowserWindow.getAllWindows()) {
    watchWindow(window, reloads, log);
    // Before this bundle had loaded.
    if (window.webContents.isCrashed()) reload(window.webContents, log);
  }
  app.on('browser-window-created', (_event, window) => watchWindow(window, reloads, log));
  app.on('child-process-gone', (_event, { type, reason, exitCode, name }) => {
    // Chromium starts its helpers again.
    if (reason !== 'clean-exit') log.error(`A helper process ended: ${name ?? type}, ${reason}, exit code ${exitCode}`);
  });
  process.on('unhandledRejection', (error) => log.error('Unhandled rejection', error));
  process.on('uncaughtException', (error) => {
    log.error('Uncaught error', error);
    void message.show(error);
  });
}

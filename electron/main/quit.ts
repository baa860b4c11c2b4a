import fs from 'node:fs';
import { app, BrowserWindow, powerMonitor } from 'electron';
import type { Host } from '../commands/host.ts';
import { describe } from '../failures/errors.ts';
import { lostExchanges } from '../failures/lost-exchanges.ts';

/** Time for active exchanges to end when the user quits. Milliseconds. */
const GRACE = 1000;

/** A disk that does not respond blocks the session's writer forever, but must not block the app. Milliseconds. */
const LONGEST = 30_000;

interface QuitOptions {
  host: Host;
  withdraw: () => void;
  exit: (code: 0 | 1) => void;
}

/** Prints for a terminal or script that started the app: its windows are already closed. */
function say(sentence: string): void {
  try {
    fs.writeSync(2, `roundtrip: ${sentence}\n`);
  } catch {
    // stderr is closed.
  }
}

/** Ends the app at once. `app.exit` waits for the threads, and one of them may be what blocks the app. */
function end(): void {
  say(`the session was not closed within ${LONGEST / 1000} s: its disk hangs. The app quits anyway.`);
  process.kill(process.pid, 'SIGKILL');
}

/** An incomplete recording is a failure. */
function exitCodeOf(host: Host): 0 | 1 {
  const { exchanges, whole } = host.runtime.losses();
  if (exchanges > 0) say(lostExchanges(exchanges));
  return exchanges === 0 && whole ? 0 : 1;
}

/**
 * However the app is quit (menu, window, SIGTERM, SIGHUP), the session is written and closed first; windows close at
 * once. Closing the last window is a second quit, which arrives while the session is being closed: it waits like the
 * first. The end of the user's session is not a quit on Windows, and must not be held up on macOS, where a refused quit
 * cancels the log-out. `withdraw` runs at once: commands must not attach to an app that ends. `exit` ends the app once
 * all is closed; it may do it by quitting once more.
 */
export function quitWell({ host, withdraw, exit }: QuitOptions): void {
  let closing = false;
  let closed = false;
  let loggingOut = false;
  const close = (): void => {
    if (closing) return;
    closing = true;
    withdraw();
    for (const window of BrowserWindow.getAllWindows()) window.close();
    setTimeout(end, LONGEST).unref();
    host.close(loggingOut ? 0 : GRACE).then(
      () => {
        closed = true;
        exit(exitCodeOf(host));
      },
      (error: unknown) => {
        say(describe(error));
        app.exit(1);
      },
    );
  };
  const logOut = (): void => {
    loggingOut = true;
    close();
  };
  app.on('before-quit', (event) => {
    if (closed) return;
    if (!loggingOut || process.platform !== 'darwin') event.preventDefault();
    close();
  });
  // Windows: the system ends the app a few seconds after this, and emits no `before-quit`.
  const endWith = (window: BrowserWindow) => window.on('session-end', logOut);
  for (const window of BrowserWindow.getAllWindows()) endWith(window);
  app.on('browser-window-created', (_event, window) => endWith(window));
  // macOS and Linux: asks for the time to close, and takes no longer than that.
  powerMonitor.on('shutdown', (event?: { preventDefault(): void }) => {
    event?.preventDefault();
    logOut();
  });
}

import { app, BrowserWindow } from 'electron';
import type { Host } from '../commands/host.ts';

/** What exchanges under way get to end when the user quits; milliseconds. */
const GRACE = 1000;

/** A disk that does not answer holds the session's writer for ever, and must not hold the app; milliseconds. */
const LONGEST = 30_000;

/** Ends the app at once. `app.exit` waits for the threads, and one of them may be what holds the app up. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}

/**
 * However the app is quit (menu, window, SIGTERM, SIGHUP), the session is written and closed first; windows go at once. The
 * last window's end is a second quit, and comes while the session is being closed: it waits like the first.
 */
export function quitWell(host: Host): void {
  let closing = false;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    for (const window of BrowserWindow.getAllWindows()) window.close();
    setTimeout(end, LONGEST).unref();
    host.close(GRACE).then(
      () => app.exit(0),
      () => app.exit(1),
    );
  });
}

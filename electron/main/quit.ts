import { app, BrowserWindow } from 'electron';
import type { Host } from '../commands/host.ts';

/** What exchanges under way get to end when the user quits; milliseconds. */
const GRACE = 1000;

/**
 * However the app is quit (menu, window, SIGTERM), the session is written and closed first; windows go at once. The last
 * window's end is a quit of its own, and comes while the session is being closed: it waits like the first.
 */
export function quitWell(host: Host): void {
  let closing: Promise<void> | null = null;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (closing !== null) return;
    for (const window of BrowserWindow.getAllWindows()) window.close();
    closing = host.close(GRACE);
    void closing.finally(() => app.exit(0));
  });
}

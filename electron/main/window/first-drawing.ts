import type { BrowserWindow } from 'electron';
import { DRAWN_CHANNEL } from '../ipc/channels.ts';

/** A page that has not drawn after this long must not hold up the proxy. Milliseconds. */
const LONGEST = 2000;

/**
 * Resolves when the window's page has drawn, or never will, or after a while. Work that can wait, such as starting the
 * engine's threads, would take CPU from the page.
 */
export function firstDrawing(window: BrowserWindow): Promise<void> {
  const { webContents } = window;
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    webContents.on('ipc-message', (_event, channel) => {
      if (channel === DRAWN_CHANNEL) done();
    });
    webContents.once('render-process-gone', done);
    webContents.once('did-fail-load', done);
    window.once('closed', done);
  });
}

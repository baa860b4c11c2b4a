import { app, BrowserWindow } from 'electron';
import { writePrivateFile } from '../../commands/private-file.ts';
import type { WindowState } from './window-state.ts';
import { windowStateFile } from './window-state-file.ts';

function write(dataFolder: string, state: WindowState): void {
  try {
    writePrivateFile(windowStateFile(dataFolder), `${JSON.stringify(state)}\n`);
  } catch {
    // A full disk is reported where it matters; the window then opens centered next time.
  }
}

/** Saves the place of each window when it closes. */
export function keepWindowState(dataFolder: string): void {
  const keep = (window: BrowserWindow) =>
    window.on('close', () => write(dataFolder, { ...window.getNormalBounds(), maximized: window.isMaximized() }));
  for (const window of BrowserWindow.getAllWindows()) keep(window);
  app.on('browser-window-created', (_event, window) => keep(window));
}

import { app, BrowserWindow, dialog } from 'electron';

/** Each system's folder for programs. */
const FOLDERS: Record<string, string> = { darwin: '/Applications', win32: 'C:\\Program Files', linux: '/usr/bin' };

/** Lets the user choose a program in a dialog over the window; null if cancelled. A macOS app is chosen as a bundle. */
export async function chooseProgram(): Promise<string | null> {
  const options = {
    title: 'Choose a program',
    defaultPath: FOLDERS[process.platform] ?? app.getPath('home'),
    properties: ['openFile' as const],
    filters: process.platform === 'win32' ? [{ name: 'Programs', extensions: ['exe', 'cmd', 'bat', 'com'] }] : [],
  };
  const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
  const { canceled, filePaths } = window
    ? await dialog.showOpenDialog(window, options)
    : await dialog.showOpenDialog(options);
  return canceled ? null : (filePaths[0] ?? null);
}

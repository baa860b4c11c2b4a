import { app, BrowserWindow, dialog } from 'electron';

/** Where each system keeps its programs. */
const FOLDERS: Record<string, string> = { darwin: '/Applications', win32: 'C:\\Program Files', linux: '/usr/bin' };

/** Lets the user choose a program, over the window that wants it; null where none was. An app of macOS is chosen whole. */
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

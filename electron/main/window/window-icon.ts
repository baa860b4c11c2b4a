import { app, BrowserWindow } from 'electron';

/**
 * Gives every window its icon on Linux. A program's file has none there, and the desktop knows only those of installed
 * packages: an AppImage or an unpacked folder would get the icon for unknown programs.
 */
export function keepWindowIcons(icon: string): void {
  if (process.platform !== 'linux') return;
  for (const window of BrowserWindow.getAllWindows()) window.setIcon(icon);
  app.on('browser-window-created', (_event, window) => window.setIcon(icon));
}

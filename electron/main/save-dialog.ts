import path from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import type { FileSink } from '../commands/host-services.ts';

/** Asks where a file shall go, over the window that wants it. */
export const saveDialog: FileSink = {
  choose: async ({ name, extension, description }) => {
    const options = {
      defaultPath: path.join(app.getPath('documents'), name),
      filters: [{ name: description, extensions: [extension] }],
    };
    const window = BrowserWindow.getFocusedWindow() ?? BrowserWindow.getAllWindows()[0];
    const { canceled, filePath } = window
      ? await dialog.showSaveDialog(window, options)
      : await dialog.showSaveDialog(options);
    if (canceled || !filePath) return null;
    return {
      path: filePath,
      finish: async (size) => ({ status: 'saved', path: filePath, note: null, ...size }),
      // Whatever wrote to it left no half of a file; one that was there before is the user's.
      discard: async () => undefined,
    };
  },
};

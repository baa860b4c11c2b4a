import path from 'node:path';
import { app, BrowserWindow, dialog } from 'electron';
import type { FileSink } from '../../commands/host-services.ts';

/** Asks where to save a file, in a dialog over the window. */
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
      // Writers leave no partial file behind; a file that existed before belongs to the user.
      discard: async () => undefined,
    };
  },
};

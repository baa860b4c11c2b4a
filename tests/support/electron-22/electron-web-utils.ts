import { contextBridge, ipcRenderer } from 'electron';

export { contextBridge, ipcRenderer };

/** Electron 29; until 31, files have their path as a property. */
export const webUtils = {
  getPathForFile: (file: File & { path?: string }): string => file.path ?? '',
};

import { contextBridge, type IpcRendererEvent, ipcRenderer, webUtils } from 'electron';
import type { Call, Notice, Reply } from '../../shared/contract/envelope.ts';
import { CALL_CHANNEL, DRAWN_CHANNEL, NOTICE_CHANNEL } from '../main/ipc/channels.ts';

/**
 * Everything that a page gets from Electron: the contract's calls and notices, and the path of a dropped file. Both
 * ends validate what they receive.
 */
contextBridge.exposeInMainWorld('roundtrip', {
  call: (call: Call): Promise<Reply> => ipcRenderer.invoke(CALL_CHANNEL, call),
  /** Returns a function that removes the listener. */
  onNotice: (listener: (notice: Notice) => void): (() => void) => {
    const heard = (_event: IpcRendererEvent, notice: Notice) => listener(notice);
    ipcRenderer.on(NOTICE_CHANNEL, heard);
    return () => ipcRenderer.off(NOTICE_CHANNEL, heard);
  },
  pathOf: (file: File): string => webUtils.getPathForFile(file),
});

/**
 * The engine then starts. Electron's `ready-to-show` is too early: the page's scripts have run, but nothing is drawn.
 * The cast: Node's types lack paint entries.
 */
new PerformanceObserver((_list, observer) => {
  observer.disconnect();
  ipcRenderer.send(DRAWN_CHANNEL);
}).observe({ type: 'paint' as never, buffered: true });

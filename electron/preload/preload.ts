import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type { Call, Notice, Reply } from '../../shared/contract/envelope.ts';
import { CALL_CHANNEL, NOTICE_CHANNEL } from '../main/ipc/channels.ts';

/** All that a page gets of Electron: the contract's two ways. What passes is checked at the other ends. */
contextBridge.exposeInMainWorld('roundtrip', {
  call: (call: Call): Promise<Reply> => ipcRenderer.invoke(CALL_CHANNEL, call),
  /** Returns what ends the listening. */
  onNotice: (listener: (notice: Notice) => void): (() => void) => {
    const heard = (_event: IpcRendererEvent, notice: Notice) => listener(notice);
    ipcRenderer.on(NOTICE_CHANNEL, heard);
    return () => ipcRenderer.off(NOTICE_CHANNEL, heard);
  },
});

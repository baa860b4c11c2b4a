import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { REFUSALS } from '../../../shared/contract/envelope.ts';
import { NO_CALL, refusal } from '../../commands/dispatch.ts';
import type { Connection, Host } from '../../commands/host.ts';
import { isOurPage } from '../security/page-protocol.ts';
import { CALL_CHANNEL, NOTICE_CHANNEL } from './channels.ts';

const connections = new Map<WebContents, Connection>();

/** True only for the top frame of one of our windows, while it shows our page. */
function isOurs({ sender, senderFrame }: IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOurPage(senderFrame.url);
}

/** Handles the calls of all windows. To be called once. */
export function answerWindows(): void {
  ipcMain.handle(CALL_CHANNEL, async (event, message: unknown) => {
    const connection = isOurs(event) ? connections.get(event.sender) : undefined;
    if (connection === undefined)
      return refusal(NO_CALL, REFUSALS.foreignSender, 'Only Roundtrip’s own window may send calls.');
    return await connection.dispatch(message);
  });
}

/** Connects a window's page to the host until the window closes. A reloaded page gets a new connection. */
export function connectWindow(contents: WebContents, host: Host): void {
  const connect = () => {
    connections.get(contents)?.close();
    const connection = host.connect((notice) => {
      if (!contents.isDestroyed()) contents.send(NOTICE_CHANNEL, notice);
    });
    connections.set(contents, connection);
  };
  connect();
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) connect();
  });
  contents.once('destroyed', () => {
    connections.get(contents)?.close();
    connections.delete(contents);
  });
}

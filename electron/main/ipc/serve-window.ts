import { type IpcMainInvokeEvent, ipcMain, type WebContents } from 'electron';
import { REFUSALS } from '../../../shared/contract/envelope.ts';
import type { Connection, Host } from '../../commands/host.ts';
import { NO_CALL, refusal } from '../../commands/refusal.ts';
import { isOurPage } from '../security/page-protocol.ts';
import { CALL_CHANNEL, NOTICE_CHANNEL } from './channels.ts';

const connections = new Map<WebContents, Promise<Connection>>();

/** True only for the top frame of one of our windows, while it shows our page. */
function isOurs({ sender, senderFrame }: IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame === sender.mainFrame && isOurPage(senderFrame.url);
}

/** Handles the calls of all windows. To be called once. */
export function answerWindows(): void {
  ipcMain.handle(CALL_CHANNEL, async (event, message: unknown) => {
    const connection = isOurs(event) ? await connections.get(event.sender) : undefined;
    if (connection === undefined)
      return refusal(NO_CALL, REFUSALS.foreignSender, 'Only Roundtrip’s own window may send calls.');
    return await connection.dispatch(message);
  });
}

/**
 * Connects a window's page to the host until the window closes. A reloaded page gets a new connection. Calls that
 * arrive before the host is open wait for it.
 */
export function connectWindow(contents: WebContents, opening: Promise<Host>): void {
  const disconnect = () => {
    const connecting = connections.get(contents);
    connections.delete(contents);
    connecting?.then((connection) => connection.close()).catch(() => null);
  };
  const openConnection = (host: Host) =>
    host.connect((notice) => {
      if (!contents.isDestroyed()) contents.send(NOTICE_CHANNEL, notice);
    });
  const connect = () => {
    disconnect();
    const connecting = opening.then(openConnection);
    // If the host does not open, the app shows the reason and ends.
    connecting.catch(() => null);
    connections.set(contents, connecting);
  };
  connect();
  contents.on('did-start-navigation', ({ isMainFrame, isSameDocument }) => {
    if (isMainFrame && !isSameDocument) connect();
  });
  contents.once('destroyed', disconnect);
}

import { app, type Session, type WebContents } from 'electron';
import { isOurPage } from './page-protocol.ts';

/** The one thing that a page may do beyond drawing: copy text when its user asks. */
const ALLOWED_PERMISSION = 'clipboard-sanitized-write';

/** No page of ours needs the network: all it shows comes over IPC. */
function cutNetwork(session: Session): void {
  const urls = ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'ftp://*/*', 'file://*/*'];
  session.webRequest.onBeforeRequest({ urls }, (_details, answer) => answer({ cancel: true }));
}

function confineSession(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === ALLOWED_PERMISSION));
  session.setPermissionCheckHandler((_contents, permission) => permission === ALLOWED_PERMISSION);
  session.on('will-download', (event) => event.preventDefault());
  cutNetwork(session);
}

function confineContents(contents: WebContents): void {
  const stay = (event: { preventDefault(): void }, url: string) => {
    if (!isOurPage(url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}

/** Holds every page to what the UI needs: no navigation away, no new windows, no permissions, no network. */
export function confinePages(session: Session): void {
  confineSession(session);
  app.on('web-contents-created', (_event, contents) => confineContents(contents));
}

import { app, type Session, shell, type WebContents } from 'electron';
import { isOurPage } from './page-protocol.ts';

/** The only permission of a page: copying text when the user asks for it. */
const ALLOWED_PERMISSION = 'clipboard-sanitized-write';

/** Our pages need no network: all they show comes over IPC. */
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

function confineContents(contents: WebContents, opensOutside: (url: string) => boolean): void {
  const stay = (event: { preventDefault(): void }, url: string) => {
    if (!isOurPage(url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (opensOutside(url)) void shell.openExternal(url);
    return { action: 'deny' };
  });
}

/**
 * Restricts every page to what the UI needs: no navigation, no new windows, no other permissions, no network.
 * `opensOutside`: whether the system's browser may open this address for a page.
 */
export function confinePages(session: Session, opensOutside: (url: string) => boolean): void {
  confineSession(session);
  app.on('web-contents-created', (_event, contents) => confineContents(contents, opensOutside));
}

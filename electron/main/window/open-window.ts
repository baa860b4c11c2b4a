import path from 'node:path';
import { app, BrowserWindow, nativeTheme, screen } from 'electron';
import { PAGE_URL } from '../security/page-protocol.ts';
import { placeWindow, type Rectangle, SMALLEST } from './window-state.ts';
import { readWindowState } from './window-state-file.ts';

/** The page's background in each theme, to avoid a flash before the page is drawn. */
const BACKGROUND = { dark: '#16181d', light: '#ffffff' };

function workAreas(): Rectangle[] {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  return [primary, ...others].map(({ workArea }) => workArea);
}

function background(): string {
  return nativeTheme.shouldUseDarkColors ? BACKGROUND.dark : BACKGROUND.light;
}

/** The window is created before the settings, including the theme, are read. */
function followTheme(window: BrowserWindow): void {
  const follow = () => window.setBackgroundColor(background());
  nativeTheme.on('updated', follow);
  window.once('closed', () => nativeTheme.off('updated', follow));
}

/** Opens a window with our page at its last position. The window is shown once the page is ready. */
export function openWindow(bundleFolder: string, dataFolder: string): BrowserWindow {
  const kept = readWindowState(dataFolder);
  const window = new BrowserWindow({
    ...placeWindow(kept, workAreas()),
    ...{ minWidth: SMALLEST.width, minHeight: SMALLEST.height },
    show: false,
    title: 'Roundtrip',
    backgroundColor: background(),
    webPreferences: {
      preload: path.join(bundleFolder, 'preload.cjs'),
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      spellcheck: false,
      devTools: !app.isPackaged,
    },
  });
  followTheme(window);
  if (kept?.maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  void window.loadURL(PAGE_URL);
  return window;
}

import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron';
import type { PayloadOf } from '../../shared/contract/events.ts';
import { DOCUMENTATION } from './project-links.ts';

type Command = PayloadOf<'app.command'>['command'];

export interface MenuActions {
  /** Runs a command in the window, as its button does. */
  command(command: Command): void;
  openSession(): void;
  copyDiagnostics(): void;
  reportProblem(): void;
  showLog(): void;
  /** Lets the user choose a session file in which to continue recording. */
  recordInto(): void;
}

function item(label: string, accelerator: string, click: () => void): MenuItemConstructorOptions {
  return { label, accelerator, click };
}

function fileMenu({ command, openSession, recordInto }: MenuActions, isMac: boolean): MenuItemConstructorOptions {
  return {
    label: 'File',
    submenu: [
      item('New Request…', 'CmdOrCtrl+N', () => command('new-request')),
      item('Open…', 'CmdOrCtrl+O', openSession),
      item('Continue Recording In…', 'CmdOrCtrl+Shift+O', recordInto),
      item('Export…', 'CmdOrCtrl+E', () => command('export-har')),
      { type: 'separator' },
      isMac ? { role: 'close' } : { role: 'quit' },
    ],
  };
}

function sessionMenu({ command }: MenuActions): MenuItemConstructorOptions {
  return {
    label: 'Session',
    submenu: [
      item('Record or Pause', 'CmdOrCtrl+R', () => command('toggle-recording')),
      item('Clear', 'CmdOrCtrl+K', () => command('clear')),
      item('Filter', 'CmdOrCtrl+F', () => command('focus-filter')),
      { type: 'separator' },
      item('Trust the CA…', 'CmdOrCtrl+T', () => command('open-trust')),
    ],
  };
}

function viewMenu({ command }: MenuActions): MenuItemConstructorOptions {
  const forDevelopers: MenuItemConstructorOptions[] = app.isPackaged ? [] : [{ role: 'toggleDevTools' }];
  return {
    label: 'View',
    submenu: [
      item('Light or Dark', 'CmdOrCtrl+Shift+L', () => command('toggle-theme')),
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      ...forDevelopers,
    ],
  };
}

function helpMenu(
  { copyDiagnostics, reportProblem, showLog }: MenuActions,
  isMac: boolean,
): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      { label: 'Documentation', click: () => void shell.openExternal(DOCUMENTATION) },
      { label: 'Report a Problem…', click: reportProblem },
      { label: 'Copy Diagnostics', click: copyDiagnostics },
      { label: 'Show the Log', click: showLog },
      // macOS has it in the app's own menu.
      ...(isMac ? [] : [{ type: 'separator' } as const, { role: 'about' } as const]),
    ],
  };
}

function setAbout(): void {
  const { electron, chrome, node } = process.versions;
  app.setAboutPanelOptions({
    applicationName: 'Roundtrip',
    applicationVersion: app.getVersion(),
    copyright:
      '© 2026 The Roundtrip authors. MIT License. Licences of third-party code are in the app’s resources folder.',
    version: `Electron ${electron}, Chromium ${chrome}, Node ${node}`,
  });
}

/** The program's menu, with its shortcuts. */
export function setMenu(actions: MenuActions): void {
  const isMac = process.platform === 'darwin';
  setAbout();
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    fileMenu(actions, isMac),
    { role: 'editMenu' },
    sessionMenu(actions),
    viewMenu(actions),
    { role: 'windowMenu' },
    helpMenu(actions, isMac),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

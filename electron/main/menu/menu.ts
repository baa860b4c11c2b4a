import path from 'node:path';
import { app, Menu, type MenuItemConstructorOptions, shell } from 'electron';
import { DOCUMENTATION } from '../project-links.ts';
import { setAbout, showLicences } from './about.ts';
import type { MenuActions, MenuState } from './menu-actions.ts';

const IS_MAC = process.platform === 'darwin';
const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };

function item(label: string, accelerator: string, click: () => void): MenuItemConstructorOptions {
  return { label, accelerator, click };
}

function settingsItem({ command }: MenuActions): MenuItemConstructorOptions {
  return item('Settings…', 'CmdOrCtrl+,', () => command('open-settings'));
}

function updatesItem({ checkForUpdates }: MenuActions): MenuItemConstructorOptions {
  return { label: 'Check for Updates…', id: 'check-for-updates', click: checkForUpdates };
}

/** macOS has About, Settings and Quit in a menu of the app's name. */
function appMenu(actions: MenuActions): MenuItemConstructorOptions {
  return {
    label: app.name,
    submenu: [
      { role: 'about' },
      updatesItem(actions),
      SEPARATOR,
      settingsItem(actions),
      SEPARATOR,
      { role: 'services' },
      SEPARATOR,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      SEPARATOR,
      { role: 'quit' },
    ],
  };
}

/** The folder tells two sessions of one name apart. */
function recentMenu({ openRecent }: MenuActions, { recent }: MenuState): MenuItemConstructorOptions {
  const files = recent.map((file) => ({
    label: `${path.basename(file)} - ${path.dirname(file)}`,
    click: () => openRecent(file),
  }));
  return {
    label: 'Open Recent',
    id: 'open-recent',
    submenu: files.length > 0 ? files : [{ label: 'No Recent Sessions', enabled: false }],
  };
}

function fileMenu(actions: MenuActions, state: MenuState): MenuItemConstructorOptions {
  const { command, openSession, recordInto } = actions;
  return {
    label: 'File',
    submenu: [
      item('New Request…', 'CmdOrCtrl+N', () => command('new-request')),
      { ...item('Open…', 'CmdOrCtrl+O', openSession), id: 'open' },
      recentMenu(actions, state),
      item('Sessions…', 'CmdOrCtrl+Alt+O', () => command('open-sessions')),
      item('Continue Recording In…', 'CmdOrCtrl+Shift+O', recordInto),
      item('Export…', 'CmdOrCtrl+E', () => command('export-har')),
      SEPARATOR,
      ...(IS_MAC ? [{ role: 'close' } as const] : [settingsItem(actions), SEPARATOR, { role: 'quit' } as const]),
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
      SEPARATOR,
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
      SEPARATOR,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { role: 'togglefullscreen' },
      ...forDevelopers,
    ],
  };
}

function helpMenu(actions: MenuActions, { lookForUpdates }: MenuState): MenuItemConstructorOptions {
  const daily: MenuItemConstructorOptions = {
    label: 'Check for Updates Daily',
    type: 'checkbox',
    checked: lookForUpdates,
    click: () => actions.setLookForUpdates(!lookForUpdates),
  };
  return {
    role: 'help',
    submenu: [
      { label: 'Documentation', click: () => void shell.openExternal(DOCUMENTATION) },
      { label: 'Keyboard Shortcuts', click: () => actions.command('show-keys') },
      { label: 'Install Command Line…', id: 'install-command-line', click: actions.installCommandLine },
      SEPARATOR,
      ...(IS_MAC ? [] : [updatesItem(actions)]),
      daily,
      SEPARATOR,
      { label: 'Report a Problem…', click: actions.reportProblem },
      { label: 'Copy Diagnostics', click: actions.copyDiagnostics },
      { label: 'Show the Log', click: actions.showLog },
      SEPARATOR,
      { label: 'Licences', id: 'licences', click: showLicences },
      ...(IS_MAC ? [] : [{ role: 'about' } as const]),
    ],
  };
}

/** The program's menu, with its shortcuts. Called again when its state changes. */
export function setMenu(actions: MenuActions, state: MenuState): void {
  setAbout();
  const template: MenuItemConstructorOptions[] = [
    ...(IS_MAC ? [appMenu(actions)] : []),
    fileMenu(actions, state),
    { role: 'editMenu' },
    sessionMenu(actions),
    viewMenu(actions),
    { role: 'windowMenu' },
    helpMenu(actions, state),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

import path from 'node:path';
import { app, dialog, shell } from 'electron';
import type { Host } from '../commands/host.ts';
import { localApi } from '../commands/local-api.ts';
import { roundtripError } from '../failures/errors.ts';
import { installCommandLine } from '../system/command-line/install-command-line.ts';
import { bundleFolder } from './bundle-folder.ts';
import { chooseFiles, chooseSession } from './files/choose-files.ts';
import type { FileOpener } from './files/open-files.ts';
import { RecentFiles } from './files/recent-files.ts';
import { setMenu } from './menu/menu.ts';
import type { MenuActions } from './menu/menu-actions.ts';
import { SystemProxyTray } from './system-proxy-tray.ts';
import type { AppLog } from './trouble/app-log.ts';
import { copyDiagnostics, reportProblem } from './trouble/diagnostics.ts';
import { showFailure } from './trouble/show-failure.ts';
import type { Updates } from './updates/updates.ts';
import { keepWindowState } from './window/keep-window-state.ts';
import { keepWindowIcons } from './window/window-icon.ts';

interface DesktopParts {
  host: Host;
  log: AppLog;
  opener: FileOpener;
  updates: Updates;
  dataFolder: string;
  /** Opens the window, or brings it to the front. */
  show: () => void;
}

async function installCommand(): Promise<void> {
  try {
    const { platform, env, resourcesPath: resources } = process;
    if (!app.isPackaged) {
      const detail = 'only the packaged app contains it; here, run npx roundtrip';
      throw roundtripError('command-line.not-installed', { path: 'roundtrip', detail });
    }
    await dialog.showMessageBox({ message: await installCommandLine({ platform, env, resources }) });
  } catch (error) {
    await showFailure('The command line was not installed', error);
  }
}

function menuActions({ host, log, opener, updates }: DesktopParts): MenuActions {
  return {
    command: (command) => host.windows.notifyAll('app.command', { command }),
    openSession: () => void chooseFiles(opener),
    openRecent: (file) => opener.open([file]),
    recordInto: () => void chooseSession((file) => host.home.record(file)),
    installCommandLine: () => void installCommand(),
    checkForUpdates: () => void updates.check(),
    setLookForUpdates: (lookForUpdates) => host.settings.update({ lookForUpdates }),
    copyDiagnostics: () => copyDiagnostics(host, log),
    reportProblem: () => void reportProblem(host, log),
    showLog: () => shell.showItemInFolder(log.file),
  };
}

/**
 * Connects the desktop's own parts, which a browser lacks: the menu, recent files, the tray. Like a window, it follows
 * notices.
 */
export function addDesktopParts(parts: DesktopParts): void {
  const { host, dataFolder, show } = parts;
  const actions = menuActions(parts);
  const recent = new RecentFiles(dataFolder, () => host.home.finished());
  const drawMenu = () =>
    setMenu(actions, { recent: recent.list(), lookForUpdates: host.settings.current().lookForUpdates });
  const api = localApi(host);
  const turnOff = () =>
    void api
      .request('system-proxy.set', { on: false })
      .catch((error: unknown) => showFailure('The system proxy was not restored', error));
  const icon = path.join(bundleFolder(), 'icon.png');
  keepWindowIcons(icon);
  keepWindowState(dataFolder);
  const tray = new SystemProxyTray(icon, { show, turnOff });
  api.on('system-proxy.changed', (status) => tray.follow(status));
  api.on('settings.changed', drawMenu);
  api.on('sessions.changed', ({ sessions: [, ...opened] }) => {
    recent.add(opened.map(({ path }) => path));
    drawMenu();
  });
  drawMenu();
}

import path from 'node:path';
import { app, powerMonitor, shell } from 'electron';
import { DEFAULT_PORT } from '../commands/default-port.ts';
import { Host, type HostOptions } from '../commands/host.ts';
import { newSessionPath } from '../commands/new-session-path.ts';
import { RoundtripError } from '../failures/errors.ts';
import { onBattery } from '../system/on-battery.ts';
import type { Command } from '../system/run-command.ts';
import { Downloads } from '../web/downloads.ts';
import { WebHost } from '../web/web-host.ts';
import { bundleFolder } from './bundle-folder.ts';
import { chooseProgram } from './files/program-dialog.ts';
import { saveDialog } from './files/save-dialog.ts';
import { keyGuard } from './security/key-guard.ts';
import type { StartOptions } from './start-options.ts';

/** The app itself, without a window: a packaged app is not a Node binary. */
function watchdogCommand(): Command {
  const sandbox = app.commandLine.hasSwitch('no-sandbox') ? ['--no-sandbox'] : [];
  return [process.execPath, ...(app.isPackaged ? [] : [path.join(bundleFolder(), 'main.cjs')]), ...sandbox];
}

/**
 * The host of the desktop app; its proxy does not run yet. Commands attach to it through `web`. Rejects with
 * `ca.unreadable`.
 */
export async function openHost(
  { dataFolder, port, session }: StartOptions,
  web: WebHost,
  { onPruned, onFailure }: Pick<HostOptions, 'onPruned' | 'onFailure'>,
): Promise<Host> {
  return await Host.open({
    kind: 'electron',
    version: app.getVersion(),
    threadFolder: bundleFolder(),
    dataFolder,
    guard: keyGuard(),
    overrides: {},
    rulesFile: null,
    listen: { host: '127.0.0.1', port: port ?? DEFAULT_PORT },
    sessionPath: session ?? newSessionPath(dataFolder, new Date()),
    refusedAuthorities: web.authorities,
    files: saveDialog,
    chooseProgram,
    reveal: async (file) => shell.showItemInFolder(file),
    onBattery: () => powerMonitor.onBatteryPower || onBattery(),
    watchdog: watchdogCommand(),
    onStop: () => app.quit(),
    onPruned,
    onFailure,
  });
}

/**
 * Starts the proxy. If the default port is in use and the user did not ask for a specific one, it uses a free port; the
 * window shows which. The window also shows other failures, from the status.
 */
export async function startProxy(host: Host, { port }: StartOptions): Promise<void> {
  try {
    await host.start();
  } catch (error) {
    const isTaken = error instanceof RoundtripError && error.code === 'engine.port-in-use';
    if (isTaken && port === null) await host.start(0).catch(() => undefined);
  }
}

/** Serves commands and agents that attach to the app, on loopback and with a token. */
export async function openWeb(): Promise<WebHost> {
  return await WebHost.open({
    port: 0,
    pageFolder: path.join(bundleFolder(), 'renderer'),
    downloads: new Downloads(),
  });
}

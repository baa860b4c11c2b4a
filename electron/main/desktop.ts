import { app, nativeTheme, powerMonitor } from 'electron';
import type { Failure } from '../../shared/model/failure.ts';
import type { RemovedSession } from '../../shared/model/session/session-entry.ts';
import { announce } from '../attach/announce.ts';
import { problemOf } from '../commands/dispatch.ts';
import type { Host } from '../commands/host.ts';
import type { WebHost } from '../web/web-host.ts';
import { addDesktopParts } from './desktop-parts.ts';
import { openFile } from './files/open-file.ts';
import type { FileOpener } from './files/open-files.ts';
import { quitWell } from './quit.ts';
import { openHost, openWeb, startProxy } from './start-host.ts';
import type { StartOptions } from './start-options.ts';
import { AppLog } from './trouble/app-log.ts';
import { watchForCrashes } from './trouble/crash-watch.ts';
import { Updates } from './updates/updates.ts';

interface Desktop {
  host: Host;
  /** Serves the host to commands and agents. */
  web: WebHost;
  log: AppLog;
}

/** What the app's window brings. */
interface Front {
  options: StartOptions;
  opener: FileOpener;
  /** Opens the window, or brings it to the front. */
  show: () => void;
}

function followTheme(host: Host): void {
  const follow = () => {
    nativeTheme.themeSource = host.settings.shown().theme;
  };
  follow();
  host.settings.onChange(follow);
}

/** The window shows it too. */
function logPruned(log: AppLog, sessions: readonly RemovedSession[]): void {
  for (const { path: file } of sessions) log.info(`Deleted ${file}, as configured`);
}

/** Windows get failures with the status. */
function logFailure(log: AppLog, { code, message }: Failure): void {
  log.error(`${code}: ${message}`);
}

/** Opens the host, and a web server that serves it. Rejects as `openHost` does. */
export async function openDesktop(options: StartOptions): Promise<Desktop> {
  const log = new AppLog(options.dataFolder, options.verbose);
  watchForCrashes(log);
  log.info(`Roundtrip ${app.getVersion()} starts, Electron ${process.versions.electron}`);
  const web = await openWeb();
  const host = await openHost(options, web, {
    onPruned: (sessions) => logPruned(log, sessions),
    onFailure: (failure) => logFailure(log, failure),
  });
  web.serve(host);
  return { host, web, log };
}

/** Starts the proxy and the desktop's own parts. Resolves once they run. */
export async function runDesktop({ host, web, log }: Desktop, { options, opener, show }: Front): Promise<void> {
  let withdraw = (): void => undefined;
  const updates = new Updates({
    log,
    wanted: () => host.settings.current().lookForUpdates,
    isRecording: () => host.settings.current().recording && host.runtime.status().state === 'running',
  });
  quitWell({ host, withdraw: () => withdraw(), exit: (code) => updates.exit(code) });
  followTheme(host);
  powerMonitor.on('resume', () => void host.runtime.resumed().catch(() => null));
  const started = startProxy(host, options);
  withdraw = announce(options.dataFolder, web.address, (failure) => logFailure(log, failure));
  addDesktopParts({ host, log, opener, updates, show, dataFolder: options.dataFolder });
  await started;
  opener.serve((file) => void openFile(host, file));
  opener.open(options.files);
  updates.begin();
}

/** Why the app could not start, for a message box. */
export function startProblem(error: unknown): string {
  const { code, message } = problemOf(error);
  return `${message}\n\n(${code})`;
}

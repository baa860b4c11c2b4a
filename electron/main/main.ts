import path from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, powerMonitor, session } from 'electron';
import type { Failure } from '../../shared/model/failure.ts';
import type { RemovedSession } from '../../shared/model/session/session-entry.ts';
import { announce } from '../attach/announce.ts';
import { problemOf } from '../commands/dispatch.ts';
import type { Host } from '../commands/host.ts';
import { keepDebuggerShut } from '../system/debugger-signal.ts';
import { readWatchdogArguments, runWatchdog } from '../system/proxy/set/watchdog.ts';
import { addDesktopParts } from './desktop-parts.ts';
import { FileOpener } from './files/open-files.ts';
import { answerWindows, connectWindow } from './ipc/serve-window.ts';
import { quitWell } from './quit.ts';
import { confinePages } from './security/confine.ts';
import { declarePageScheme, servePage } from './security/page-protocol.ts';
import { isTraceAddress } from './security/trace-address.ts';
import { bundleFolder, openHost, openWeb, startProxy } from './start-host.ts';
import { type StartOptions, startOptions } from './start-options.ts';
import { AppLog } from './trouble/app-log.ts';
import { watchForCrashes } from './trouble/crash-watch.ts';
import { Updates } from './updates/updates.ts';
import { firstDrawing } from './window/first-drawing.ts';
import { openWindow } from './window/open-window.ts';

/** Opens the window, or brings it to the front. */
function showWindow(host: Promise<Host>, { dataFolder }: StartOptions): BrowserWindow {
  const [open] = BrowserWindow.getAllWindows();
  if (open) {
    if (open.isMinimized()) open.restore();
    open.focus();
    return open;
  }
  const opened = openWindow(bundleFolder(), dataFolder);
  connectWindow(opened.webContents, host);
  return opened;
}

function followTheme(host: Host): void {
  const follow = () => {
    nativeTheme.themeSource = host.settings.shown().theme;
  };
  follow();
  host.settings.onChange(follow);
}

/** The host with its web server, which serves it. Rejects as `openHost` does. */
async function openServedHost(options: StartOptions, events: Parameters<typeof openHost>[3]) {
  const web = await openWeb(bundleFolder());
  const host = await openHost(options, bundleFolder(), web, events);
  web.serve(host);
  return { web, host };
}

/** The user's actions on the app outside its window. */
function followSystem(show: () => void, opener: FileOpener): void {
  app.on('second-instance', (_event, args, folder) => {
    show();
    opener.open(startOptions(args.slice(1), folder).files);
  });
  app.on('activate', show);
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
}

/** The window shows it too. */
function logPruned(log: AppLog, sessions: readonly RemovedSession[]): void {
  for (const { path: file } of sessions) log.info(`Deleted ${file}, as configured`);
}

async function run(options: StartOptions, opener: FileOpener): Promise<void> {
  const log = new AppLog(options.dataFolder, options.verbose);
  watchForCrashes(log);
  await app.whenReady();
  log.info(`Roundtrip ${app.getVersion()} starts, Electron ${process.versions.electron}`);
  servePage(path.join(bundleFolder(), 'renderer'));
  let host: Host | undefined;
  confinePages(session.defaultSession, (url) => host !== undefined && isTraceAddress(url, host));
  // Windows get failures with the status.
  const onFailure = ({ code, message }: Failure) => log.error(`${code}: ${message}`);
  const onPruned = (sessions: readonly RemovedSession[]) => logPruned(log, sessions);
  const opening = openServedHost(options, { onPruned, onFailure });
  answerWindows();
  const hostOpening = opening.then((opened) => opened.host);
  const show = () => showWindow(hostOpening, options);
  // First: the page's process starts while the host opens. The engine's threads start when the page has drawn: earlier,
  // they took CPU from it.
  const drawn = firstDrawing(show());
  const { web, ...opened } = await opening;
  host = opened.host;
  let withdraw = (): void => undefined;
  const updates = new Updates({
    log,
    wanted: () => host.settings.current().lookForUpdates,
    isRecording: () => host.settings.current().recording && host.runtime.status().state === 'running',
  });
  quitWell({ host, withdraw: () => withdraw(), exit: (code) => updates.exit(code) });
  followTheme(host);
  powerMonitor.on('resume', () => void host.runtime.resumed().catch(() => null));
  const started = startProxy(host, options, drawn);
  withdraw = announce(options.dataFolder, web.address, onFailure);
  addDesktopParts({ host, log, opener, updates, show, dataFolder: options.dataFolder, bundleFolder: bundleFolder() });
  followSystem(show, opener);
  await started;
  opener.serve(host);
  opener.open(options.files);
  updates.begin();
}

/** Runs this process as the watchdog of an app: without a window and without the single-instance lock. */
function watch(watched: { journal: string; pid: number }): void {
  app.dock?.hide();
  runWatchdog(watched).then(
    () => app.exit(0),
    () => app.exit(1),
  );
}

function main(): void {
  keepDebuggerShut();
  const watched = readWatchdogArguments(process.argv);
  if (watched !== null) {
    watch(watched);
    return;
  }
  const options = startOptions(process.argv.slice(1));
  app.setName('Roundtrip');
  // Keeps Chromium's files, including the single-instance lock, separate from ours.
  app.setPath('userData', path.join(options.dataFolder, 'chromium'));
  // If the user (or root, or a container) must run without Chromium's sandbox, enforcing it would only cause crashes.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  declarePageScheme();
  if (!app.requestSingleInstanceLock()) {
    app.quit();
    return;
  }
  run(options, new FileOpener()).catch((error: unknown) => {
    const { code, message } = problemOf(error);
    dialog.showErrorBox('Roundtrip could not start', `${message}\n\n(${code})`);
    app.exit(1);
  });
}

main();

import path from 'node:path';
import { app, BrowserWindow, dialog, nativeTheme, session } from 'electron';
import type { Host } from '../commands/host.ts';
import { leaveAppImage } from '../system/app-image-environment.ts';
import { keepDebuggerShut } from '../system/debugger-signal.ts';
import { readWatchdogArguments, type Watched } from '../system/proxy/set/watchdog-arguments.ts';
import { bundleFolder } from './bundle-folder.ts';
import { FileOpener } from './files/open-files.ts';
import { answerWindows, connectWindow } from './ipc/serve-window.ts';
import { confinePages } from './security/confine.ts';
import { declarePageScheme, servePage } from './security/page-protocol.ts';
import { isTraceAddress } from './security/trace-address.ts';
import { type StartOptions, startOptions } from './start-options.ts';
import { firstDrawing } from './window/first-drawing.ts';
import { openWindow } from './window/open-window.ts';
import { readTheme } from './window/read-theme.ts';

/**
 * Everything that the window does not need is in another bundle. Electron runs this one before it is ready, and V8
 * takes 90 ms for the whole code of the app: the window would open that much later.
 */
const laterParts = () => import('./later-parts.ts');

/** Opens a window, or brings the open one to the front. */
function showWindow(host: Promise<Host>, { dataFolder }: StartOptions): void {
  const [open] = BrowserWindow.getAllWindows();
  if (open === undefined) {
    connectWindow(openWindow(bundleFolder(), dataFolder).webContents, host);
    return;
  }
  if (open.isMinimized()) open.restore();
  open.focus();
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

/**
 * Opens the window, and the host once the window's page has drawn: both need this thread, which also draws. Until then,
 * the page's calls wait.
 */
async function run(options: StartOptions, opener: FileOpener): Promise<void> {
  await app.whenReady();
  servePage(path.join(bundleFolder(), 'renderer'));
  let host: Host | undefined;
  confinePages(session.defaultSession, (url) => host !== undefined && isTraceAddress(url, host));
  answerWindows();
  nativeTheme.themeSource = readTheme(options.dataFolder);
  const first = openWindow(bundleFolder(), options.dataFolder);
  const parts = firstDrawing(first).then(laterParts);
  const opening = parts.then(({ openDesktop }) => openDesktop(options));
  const hostOpening = opening.then((desktop) => desktop.host);
  connectWindow(first.webContents, hostOpening);
  const show = () => showWindow(hostOpening, options);
  followSystem(show, opener);
  host = await hostOpening;
  const { runDesktop } = await parts;
  await runDesktop(await opening, { options, opener, show });
}

/** Runs this process as the watchdog of an app: without a window and without the single-instance lock. */
async function watch(watched: Watched): Promise<void> {
  app.dock?.hide();
  const { runWatchdog } = await laterParts();
  await runWatchdog(watched);
}

function main(): void {
  keepDebuggerShut();
  leaveAppImage(process.env);
  const watched = readWatchdogArguments(process.argv);
  if (watched !== null) {
    watch(watched).then(
      () => app.exit(0),
      () => app.exit(1),
    );
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
  run(options, new FileOpener()).catch(async (error: unknown) => {
    const { startProblem } = await laterParts();
    dialog.showErrorBox('Roundtrip could not start', startProblem(error));
    app.exit(1);
  });
}

main();

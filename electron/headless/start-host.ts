import path from 'node:path';
import { formatBytes } from '../../shared/format/sizes.ts';
import type { ReverseStatus } from '../../shared/model/proxy/reverse.ts';
import type { RemovedSession } from '../../shared/model/session/session-entry.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { announce } from '../attach/announce.ts';
import { Host, type HostOptions } from '../commands/host.ts';
import { newSessionPath } from '../commands/new-session-path.ts';
import { runAll } from '../commands/run-all.ts';
import type { RuleStore } from '../commands/services/rule-store.ts';
import type { CertificateAuthority } from '../engine/ca/certificate-authority.ts';
import { RoundtripError } from '../failures/errors.ts';
import { faultLine, invalidRules } from '../rules-file/read-rules.ts';
import { showInFolder } from '../system/show-in-folder.ts';
import { Downloads } from '../web/downloads.ts';
import { WebHost } from '../web/web-host.ts';
import { caFolderOf } from './ca/ca-folder.ts';
import type { Output } from './output.ts';
import type { ProxyOptions } from './proxy/proxy-options.ts';
import { checkOverrides } from './proxy/setting-options.ts';
import { proxyLogin } from './proxy-login.ts';
import { identityOf } from './session-identity.ts';
import { VERSION } from './version.ts';

export interface StartedHost {
  host: Host;
  web: WebHost;
  proxyUrl: string;
  authority: CertificateAuthority;
  session: string;
  /** The session file's `identityOf` at the start; another program may remove or replace the file. */
  sessionIdentity: string | null;
  /** Ends everything that was started, even if a step fails. */
  close(): Promise<void>;
}

/** Settings saved by a window; on the command line they apply only with their option. */
const WITHOUT_OPTIONS: Partial<Settings> = { busyPoll: false };

/** Folder of the threads' bundles and the renderer. */
const DIST = __dirname;

/** Starts proxy and UI. Rejects with a `RoundtripError` or `BadArguments`; nothing is left running then. */
export async function startHost(options: ProxyOptions, output: Output): Promise<StartedHost> {
  checkOverrides(options.overrides);
  const { dataFolder } = options;
  const session = options.session ?? newSessionPath(dataFolder, new Date());
  const downloads = new Downloads();
  const web = await WebHost.open({ port: options.uiPort, pageFolder: path.join(DIST, 'renderer'), downloads });
  let host: Host | undefined;
  let withdraw = (): void => undefined;
  const close = () =>
    runAll(
      () => withdraw(),
      () => host?.close(0),
      () => web.close(),
    );
  try {
    const ui = { refusedAuthorities: web.authorities, files: downloads };
    host = await openHeadlessHost({ ...options, session }, output, ui);
    await host.start();
    if (options.overrides.reverse) refuseClosed(host.runtime.status().reverse);
    // Opens the session for reading: the HAR is then written from this file even if it is renamed, removed or replaced.
    await host.runtime.recorded.info();
  } catch (error) {
    // The first failure is the cause.
    await close().catch(() => undefined);
    throw error;
  }
  web.serve(host);
  withdraw = announce(dataFolder, web.address, (failure) => output.failure(failure));
  const { proxyUrl, reverse } = host.runtime.status();
  output.event({
    ...{ event: 'ready', proxy: proxyUrl, ui: web.url },
    ...{ ca: host.authority.certificatePath, pid: process.pid },
    ...(reverse.length > 0 && { reverse: reverse.map(({ url, origin }) => ({ url, origin })) }),
  });
  return { host, web, proxyUrl, authority: host.authority, session, sessionIdentity: identityOf(session), close };
}

/** A listener requested on the command line is required: without it nothing starts. */
function refuseClosed(listeners: readonly ReverseStatus[]): void {
  for (const { failure } of listeners) if (failure) throw new RoundtripError(failure);
}

function sayFaults(rules: RuleStore, output: Output): void {
  const { path: file, problems } = rules.state();
  for (const fault of problems) output.fault(faultLine(file, fault));
}

/** Prints the faults of the rules file, now and at each change. Throws the failure of a file that the user named. */
function followRules(rules: RuleStore, isNamed: boolean, output: Output): void {
  sayFaults(rules, output);
  const { path: file, failure, problems } = rules.state();
  if (failure && isNamed) throw new RoundtripError(failure);
  if (problems.length > 0 && isNamed) throw new RoundtripError(invalidRules(file, problems));
  rules.onChange(() => sayFaults(rules, output));
}

/** On stderr: stdout belongs to the command. */
function sayDeleted(sessions: readonly RemovedSession[], output: Output): void {
  for (const { path: file, bytes } of sessions) output.fault(`deleted ${file} (${formatBytes(bytes)})`);
}

/** Opens a host for the command line: settings, rules and session as the options say. Starts nothing. */
export async function openHeadlessHost(
  options: ProxyOptions,
  output: Output,
  ui: Pick<HostOptions, 'refusedAuthorities' | 'files'>,
): Promise<Host> {
  const { dataFolder, host, port } = options;
  const login = await proxyLogin(options.overrides, process.env, { input: process.stdin, output: process.stderr });
  const overrides = login === null ? options.overrides : { ...options.overrides, proxyLogin: login };
  const opened = await Host.open({
    kind: 'headless',
    version: VERSION,
    threadFolder: DIST,
    dataFolder,
    caFolder: caFolderOf(dataFolder),
    guard: null,
    overrides: { ...WITHOUT_OPTIONS, ...overrides },
    rulesFile: options.rules,
    listen: { host, port },
    sessionPath: options.session ?? newSessionPath(dataFolder, new Date()),
    ...ui,
    // A page can't tell where a file is.
    chooseProgram: null,
    reveal: (file) => showInFolder(file, process.env),
    // On the command line busy polling is requested explicitly: it stays on.
    onBattery: () => false,
    watchdog: [process.execPath, path.join(DIST, 'proxy-watchdog.cjs')],
    // As if the signal had arrived: Windows has none that a program can handle.
    onStop: () => process.emit('SIGTERM', 'SIGTERM'),
    onPruned: (sessions) => sayDeleted(sessions, output),
    onFailure: (failure) => output.failure(failure),
  });
  try {
    followRules(opened.rules, options.rules !== null, output);
    return opened;
  } catch (error) {
    // The first failure is the cause.
    await opened.close(0).catch(() => undefined);
    throw error;
  }
}

import path from 'node:path';
import type { Settings } from '../../shared/model/settings.ts';
import { newSessionPath } from '../commands/data-folder.ts';
import { Host } from '../commands/host.ts';
import type { CertificateAuthority } from '../engine/tls/certificate-authority.ts';
import { caFolderOf } from './ca-folder.ts';
import { Downloads } from './downloads.ts';
import type { ProxyOptions } from './options.ts';
import type { Output } from './output.ts';
import { proxyLogin } from './proxy-login.ts';
import { VERSION } from './version.ts';
import { WebHost } from './web-host.ts';

export interface StartedHost {
  host: Host;
  web: WebHost;
  proxyUrl: string;
  authority: CertificateAuthority;
}

/** Kept by a window for itself: on the command line they need their option. */
const WITHOUT_OPTIONS: Partial<Settings> = { busyPoll: false };

/** `dist` holds the threads' bundles and the renderer. */
const DIST = __dirname;

/** Proxy and UI, running. Rejects with a `RoundtripError`; nothing is left running then. */
export async function startHost(options: ProxyOptions, output: Output): Promise<StartedHost> {
  const downloads = new Downloads();
  const web = await WebHost.open({ port: options.uiPort, pageFolder: path.join(DIST, 'renderer'), downloads });
  let host: Host | undefined;
  try {
    host = await openHost(options, output, web, downloads);
    await host.start();
  } catch (error) {
    await host?.close(0);
    await web.close();
    throw error;
  }
  web.serve(host);
  const { proxyUrl } = host.runtime.status();
  output.event({
    ...{ event: 'ready', proxy: proxyUrl, ui: web.url },
    ...{ ca: host.authority.certificatePath, pid: process.pid },
  });
  return { host, web, proxyUrl, authority: host.authority };
}

async function openHost(options: ProxyOptions, output: Output, web: WebHost, downloads: Downloads): Promise<Host> {
  const { dataFolder, host, port } = options;
  const login = await proxyLogin(options.overrides, process.env, { input: process.stdin, output: process.stderr });
  const overrides = login === null ? options.overrides : { ...options.overrides, proxyLogin: login };
  return await Host.open({
    kind: 'headless',
    version: VERSION,
    threadFolder: DIST,
    dataFolder,
    caFolder: caFolderOf(dataFolder),
    guard: null,
    overrides: { ...WITHOUT_OPTIONS, ...overrides },
    listen: { host, port },
    sessionPath: options.session ?? newSessionPath(dataFolder, new Date()),
    refusedAuthorities: web.authorities,
    files: downloads,
    // A page can't tell where a file is.
    chooseProgram: null,
    // Here busy polling is asked for by name.
    onBattery: () => false,
    watchdog: [process.execPath, path.join(DIST, 'proxy-watchdog.cjs')],
    onFailure: (failure) => output.failure(failure),
  });
}

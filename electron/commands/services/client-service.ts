import { randomBytes } from 'node:crypto';
import type { InputOf, OutputOf } from '../../../shared/contract/requests.ts';
import {
  CHECK_LOOPBACK,
  CHECK_PATH,
  checkHost,
  checkPageUrl,
  type Sighting,
} from '../../../shared/model/capture-check.ts';
import type { Client, Launcher, Recipe } from '../../../shared/model/client.ts';
import type { CertificateAuthority } from '../../engine/ca/certificate-authority.ts';
import { failureOf, roundtripError } from '../../failures/errors.ts';
import { kindOf } from '../../system/launch/browser-places.ts';
import { overrulingPolicy } from '../../system/launch/browser-policies.ts';
import { findBrowsers } from '../../system/launch/browsers.ts';
import { clientEnvironment } from '../../system/launch/client-environment.ts';
import { electronCommand, electronSwitches } from '../../system/launch/electron-app.ts';
import { type LaunchedBrowser, launchBrowser, profileFolder } from '../../system/launch/launch-browser.ts';
import {
  type LaunchedTerminal,
  launchTerminal,
  TERMINAL_PREFIX,
  terminalFolder,
} from '../../system/launch/launch-terminal.ts';
import { sweepOwnedFolders } from '../../system/launch/owned-folder.ts';
import { findTerminal, type Terminal } from '../../system/launch/terminals.ts';
import type { Clients } from '../host-services.ts';
import { type ClientEvent, nextClient } from './capture-state.ts';
import { RecentCommands } from './recent-commands.ts';
import { recipes } from './recipes.ts';

/** From a client's start to its check's last request; the slowest browser on the slowest machine took five. Milliseconds. */
const CHECK_TIME = 30_000;
const MOST_CLIENTS = 50;
const TERMINAL = 'terminal';

interface Entry {
  client: Client;
  launcher: string;
  token: string;
  browser: LaunchedBrowser | null;
  terminal: LaunchedTerminal | null;
  timer: NodeJS.Timeout | undefined;
}

export interface ClientServiceOptions {
  authority: () => CertificateAuthority;
  dataFolder: string;
  /** Where the bundles are. */
  bundleFolder: string;
  /** Empty while the proxy does not run. */
  proxyUrl: () => string;
  /** `Runtime.openProgramPort`: the URL of the program's own proxy port. */
  openProgramPort: (token: string) => Promise<string>;
  onChange: (clients: Client[]) => void;
  checkTime?: number;
}

/** Chromium takes what it is given as a page, and some pages are commands. */
function checkPage(url: string | null): void {
  if (url === null || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return;
  const detail = 'only http and https addresses are opened';
  throw roundtripError('browser.start-failed', { name: 'The browser', detail });
}

/** What is started here, each with the state of its capture as the engine saw it. */
export class ClientService implements Clients {
  readonly #options: ClientServiceOptions;
  readonly recent: RecentCommands;
  readonly #entries = new Map<number, Entry>();
  #ids = 0;

  constructor(options: ClientServiceOptions) {
    this.#options = options;
    this.recent = new RecentCommands(options.dataFolder);
  }

  /** Removes what an earlier Roundtrip that crashed has left. Never rejects. */
  async sweep(): Promise<void> {
    const { dataFolder } = this.#options;
    await sweepOwnedFolders(terminalFolder(dataFolder), TERMINAL_PREFIX);
    for (const browser of await findBrowsers().catch(() => []))
      await sweepOwnedFolders(profileFolder(browser, dataFolder), `${browser.id}-`);
  }

  async launchers(): Promise<Launcher[]> {
    const browsers = await findBrowsers();
    const found: Launcher[] = browsers.map(({ id, name, path }) => ({ id, kind: 'browser', name, path }));
    const terminal = findTerminal(process.env, process.platform);
    return terminal ? [...found, { id: TERMINAL, kind: 'terminal', name: 'Terminal', path: terminal.path }] : found;
  }

  recipes(): Recipe[] {
    const proxyUrl = this.#options.proxyUrl();
    return proxyUrl === '' ? [] : recipes(this.#options.authority(), proxyUrl);
  }

  list(): Client[] {
    return [...this.#entries.values()].map(({ client }) => client);
  }

  /** Answers at once; how it goes on is told by `onChange`. Throws `browser.not-found`, `terminal.not-found`, `engine.stopped`. */
  async launch({ launcher, url }: { launcher: string; url: string | null }): Promise<Client> {
    checkPage(url);
    this.#running();
    if (launcher === TERMINAL) return this.#openTerminal('terminal', 'Terminal', () => null);
    const browser = (await findBrowsers()).find((one) => one.id === launcher);
    if (browser === undefined) throw roundtripError('browser.not-found', { id: launcher });
    const entry = this.#add('browser', browser.name, launcher);
    const { spkiHash, certificatePath: caPath } = this.#options.authority();
    const page = checkPageUrl(entry.token, url);
    const { dataFolder } = this.#options;
    launchBrowser({ browser, url: page, proxyUrl: this.#running(), spkiHash, caPath, dataFolder }).then(
      (launched) => this.#launched(entry, launched),
      (error: unknown) => this.#startFailed(entry, error),
    );
    return entry.client;
  }

  /**
   * A page that went wrong could send any command here, so the command is not run by us: a terminal shows it, and runs it
   * once its user presses Enter there, where no page reaches. Throws `terminal.not-found`, `engine.stopped`.
   */
  run({ command, as }: InputOf<'clients.run'>): Client {
    const { spkiHash } = this.#options.authority();
    const line = (proxyUrl: string): string =>
      as === 'electron' ? electronCommand(command, electronSwitches(proxyUrl, spkiHash)) : command;
    const client = this.#openTerminal('command', command, line);
    this.recent.add({ command, as });
    return client;
  }

  /** `line`: the command for the proxy's address, null for none. */
  #openTerminal(kind: Client['kind'], name: string, line: (proxyUrl: string) => string | null): Client {
    const terminal = findTerminal(process.env, process.platform);
    if (terminal === null) throw roundtripError('terminal.not-found', {});
    this.#running();
    const entry = this.#add(kind, name, TERMINAL);
    this.#startTerminal(entry, terminal, line).then(
      (launched) => this.#openedTerminal(entry, launched),
      (error: unknown) => this.#startFailed(entry, error),
    );
    return entry.client;
  }

  async #startTerminal(
    { token }: Entry,
    terminal: Terminal,
    line: (proxyUrl: string) => string | null,
  ): Promise<LaunchedTerminal> {
    const { dataFolder, bundleFolder, authority, openProgramPort } = this.#options;
    const proxyUrl = await openProgramPort(token);
    const caPath = authority().certificatePath;
    const host = checkHost(token);
    const checks = [
      { url: `http://${host}/mark.svg`, otherwise: null },
      { url: `https://${host}/mark.svg`, otherwise: `http://${host}/step/no-secure` },
      { url: `${CHECK_LOOPBACK}${CHECK_PATH}${token}`, otherwise: `http://${host}/step/no-loopback` },
    ];
    const variables = await clientEnvironment({ proxyUrl, caPath, dataFolder, bundleFolder });
    return await launchTerminal({ terminal, variables, checks, command: line(proxyUrl), dataFolder });
  }

  #openedTerminal(entry: Entry, launched: LaunchedTerminal): void {
    entry.terminal = launched;
    if (!this.#entries.has(entry.client.id)) launched.forget();
    void launched.ended.then((exitCode) => this.#step(entry, { kind: 'ended', exitCode }));
    void launched.failed.then((detail) =>
      this.#startFailed(entry, roundtripError('browser.start-failed', { name: 'The terminal', detail })),
    );
  }

  /** Again for a client, or for one that its user opens the page in: `opened` says whether that is done already. */
  async check(id: number | null): Promise<OutputOf<'clients.check'>> {
    this.#running();
    const known = id === null ? undefined : this.#entries.get(id);
    const entry = known ?? this.#add('by-hand', 'Checked by hand', 'by-hand');
    if (known) this.#step(entry, { kind: 'check-again' });
    // What it sends from now on counts.
    if (known?.terminal) await this.#options.openProgramPort(entry.token);
    const url = checkPageUrl(entry.token, null);
    const opened = known ? ((await known.browser?.open(url)) ?? false) : false;
    this.#watch(entry);
    return { client: entry.client, url, opened };
  }

  sighted(sighting: Sighting): void {
    const entry = [...this.#entries.values()].find(({ token }) => token === sighting.token);
    if (entry) this.#step(entry, { kind: 'sighting', sighting });
  }

  /** Ends it where we started it, and takes it off the list. */
  async remove(id: number): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.#entries.delete(id);
    entry.terminal?.forget();
    await entry.browser?.close();
    this.#options.onChange(this.list());
  }

  /** Ends what was launched: without the proxy those browsers reach nothing, and their profiles are to go. */
  async close(): Promise<void> {
    const entries = [...this.#entries.values()];
    for (const { timer, terminal } of entries) {
      clearTimeout(timer);
      terminal?.forget();
    }
    await Promise.all(entries.map(({ browser }) => browser?.close()));
  }

  #running(): string {
    const proxyUrl = this.#options.proxyUrl();
    if (proxyUrl === '') throw roundtripError('engine.stopped', {});
    return proxyUrl;
  }

  #add(kind: Client['kind'], name: string, launcher: string): Entry {
    this.#ids += 1;
    const token = randomBytes(16).toString('hex');
    const client: Client = {
      ...{ id: this.#ids, kind, name, state: 'starting' as const },
      ...{ was: null, failure: null, warning: null, exitCode: null, checkUrl: checkPageUrl(token, null) },
    };
    const entry = { client, launcher, token, browser: null, terminal: null, timer: undefined };
    this.#entries.set(client.id, entry);
    const gone = [...this.#entries.values()].find(({ client: { state } }) => state === 'ended');
    if (gone && this.#entries.size > MOST_CLIENTS) this.#entries.delete(gone.client.id);
    this.#watch(entry);
    this.#options.onChange(this.list());
    return entry;
  }

  /** By hand there is no hurry: its user has a device to find first. */
  #watch(entry: Entry): void {
    clearTimeout(entry.timer);
    if (entry.client.kind === 'by-hand') return;
    const time = this.#options.checkTime ?? CHECK_TIME;
    const late = async (): Promise<void> => {
      const hint = await overrulingPolicy(kindOf(entry.launcher));
      this.#step(entry, { kind: 'late', seconds: time / 1000, hint });
    };
    entry.timer = setTimeout(() => void late(), time).unref();
  }

  #launched(entry: Entry, launched: LaunchedBrowser): void {
    entry.browser = launched;
    void launched.exited.then((exitCode) => this.#browserEnded(entry, launched, exitCode));
    if (!this.#entries.has(entry.client.id)) void launched.close();
  }

  /** One that fails before its page came, for want of a display say, did not start: a browser takes its profile before it looks. */
  #browserEnded(entry: Entry, { reason }: LaunchedBrowser, exitCode: number | null): void {
    if (entry.client.state === 'starting' && exitCode !== 0 && exitCode !== null) {
      const about = { name: entry.client.name, detail: reason(exitCode) };
      this.#startFailed(entry, roundtripError('browser.start-failed', about));
    } else this.#step(entry, { kind: 'ended', exitCode });
  }

  #startFailed(entry: Entry, error: unknown): void {
    if (entry.client.state === 'starting') clearTimeout(entry.timer);
    this.#step(entry, { kind: 'start-failed', failure: failureOf(error) });
  }

  #step(entry: Entry, event: ClientEvent): void {
    const next = nextClient(entry.client, event);
    if (next === entry.client) return;
    entry.client = next;
    if (next.state === 'trusted' || next.state === 'ended') clearTimeout(entry.timer);
    if (this.#entries.has(next.id)) this.#options.onChange(this.list());
  }
}

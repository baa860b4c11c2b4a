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

/** From a client's start to the last request of its check; the slowest took five seconds. Milliseconds. */
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
  /** `Runtime.openProgramPort`; returns the URL of the program's own proxy port. */
  openProgramPort: (token: string) => Promise<string>;
  onChange: (clients: Client[]) => void;
  checkTime?: number;
}

/** Chromium opens any URL it is given, and some URLs are commands. */
function checkPage(url: string | null): void {
  if (url === null || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return;
  const detail = 'only http and https URLs can be opened';
  throw roundtripError('browser.start-failed', { name: 'The browser', detail });
}

/** The clients that were launched here, each with the state of its capture as reported by the engine. */
export class ClientService implements Clients {
  readonly #options: ClientServiceOptions;
  readonly recent: RecentCommands;
  readonly #entries = new Map<number, Entry>();
  #ids = 0;

  constructor(options: ClientServiceOptions) {
    this.#options = options;
    this.recent = new RecentCommands(options.dataFolder);
  }

  /** Removes temporary folders that a crashed Roundtrip left behind. Never rejects. */
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

  /**
   * Returns without waiting for the start; `onChange` reports what follows. Rejects with `browser.not-found`,
   * `terminal.not-found`, `browser.start-failed` or `engine.stopped`.
   */
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
   * A compromised page could send any command. The command is therefore not run directly: a terminal shows it and runs
   * it once the user presses Enter there, out of a page's reach. Throws `terminal.not-found` or `engine.stopped`.
   */
  run({ command, as }: InputOf<'clients.run'>): Client {
    const { spkiHash } = this.#options.authority();
    const line = (proxyUrl: string): string =>
      as === 'electron' ? electronCommand(command, electronSwitches(proxyUrl, spkiHash)) : command;
    const client = this.#openTerminal('command', command, line);
    this.recent.add({ command, as });
    return client;
  }

  /** `line`: returns the command for a proxy address, or null for none. */
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

  /** Repeats a client's check, or starts one that the user opens manually. `opened`: the page is already open. */
  async check(id: number | null): Promise<OutputOf<'clients.check'>> {
    this.#running();
    const known = id === null ? undefined : this.#entries.get(id);
    const entry = known ?? this.#add('by-hand', 'Checked manually', 'by-hand');
    if (known) this.#step(entry, { kind: 'check-again' });
    // Resets the port: only requests from now on count.
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

  /** Removes a client from the list, and closes it if it is a browser that was launched here. */
  async remove(id: number): Promise<void> {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    clearTimeout(entry.timer);
    this.#entries.delete(id);
    entry.terminal?.forget();
    await entry.browser?.close();
    this.#options.onChange(this.list());
  }

  /** Closes the launched browsers: without the proxy they reach nothing, and their profiles must be removed. */
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

  /** A manual check has no time limit: the user may first have to fetch a device. */
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

  /**
   * A browser that fails before it requests the page, for example because there is no display, counts as not started:
   * it locks its profile, which makes it look launched, before it checks for a display.
   */
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

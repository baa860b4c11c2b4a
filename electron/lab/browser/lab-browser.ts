import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { describe, roundtripError } from '../../failures/errors.ts';
import { familyOf } from '../../system/launch/browser-places.ts';
import { type Browser, findBrowsers } from '../../system/launch/browsers.ts';
import { quietSwitches } from '../../system/launch/chromium-profile.ts';
import { makeOwnedFolder, removeOwnedFolder, sweepOwnedFolders } from '../../system/launch/owned-folder.ts';
import { DevtoolsPipe } from './devtools-pipe.ts';

export interface LabBrowserOptions {
  browser: Browser;
  /** Chromium's `--host-resolver-rules`. */
  resolverRules: string;
  /** Of the CA that signs the replay's certificates. */
  spkiHash: string;
  /** Whether the browser applies CORS, and sends preflights with it. */
  webSecurity: boolean;
}

const PREFIX = 'roundtrip-lab-';
const CLOSING_LIMIT = 5000;
const LAST_WORDS = 2000;

/** Descriptors of `--remote-debugging-pipe`: the browser reads the first and writes the second. */
const [READS, WRITES] = [3, 4];

/** The first Chromium of this machine; packaged ones last, because their sandbox may block the pipe. */
export async function findChromium(): Promise<Browser> {
  const found = (await findBrowsers()).filter(({ id }) => familyOf(id) === 'chromium');
  const browser = found.find(({ profiles }) => profiles === null) ?? found[0];
  if (browser === undefined) throw roundtripError('lab.no-browser', {});
  return browser;
}

/**
 * The suggestions below the address bar. Chromium loads their 400 scripts for each window, headless ones too: beside
 * the page that is measured.
 */
const ADDRESS_BAR = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'];

function switchesFor({ resolverRules, spkiHash, webSecurity }: LabBrowserOptions, profile: string): string[] {
  return [
    '--headless=new',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    `--host-resolver-rules=${resolverRules}`,
    `--ignore-certificate-errors-spki-list=${spkiHash}`,
    '--no-proxy-server',
    '--disable-quic',
    ...quietSwitches(ADDRESS_BAR),
    // A page in the background gets fewer timers and less CPU.
    '--disable-background-timer-throttling',
    '--disable-renderer-backgrounding',
    '--disable-backgrounding-occluded-windows',
    '--mute-audio',
    ...(webSecurity ? [] : ['--disable-web-security']),
  ];
}

/** A headless Chromium with its own profile, which is removed with it. */
export class LabBrowser {
  readonly devtools: DevtoolsPipe;
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #ended: Promise<unknown>;

  /** Rejects with `browser.start-failed`. */
  static async start(options: LabBrowserOptions): Promise<LabBrowser> {
    const parent = options.browser.profiles ?? os.tmpdir();
    await sweepOwnedFolders(parent, PREFIX);
    const profile = makeOwnedFolder(parent, PREFIX);
    const browser = new LabBrowser(options, profile);
    try {
      await browser.devtools.call('Browser.getVersion');
      return browser;
    } catch (error) {
      await browser.close();
      throw roundtripError('browser.start-failed', { name: options.browser.name, detail: describe(error) });
    }
  }

  private constructor(options: LabBrowserOptions, profile: string) {
    const [program, ...parameters] = options.browser.command;
    this.#profile = profile;
    this.#child = spawn(program, [...parameters, ...switchesFor(options, profile)], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const { stdio } = this.#child;
    this.devtools = new DevtoolsPipe(stdio[WRITES] as Readable, stdio[READS] as Writable);
    let words = '';
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      words = (words + text).slice(-LAST_WORDS);
    });
    this.#ended = new Promise<void>((resolve) => {
      this.#child.once('error', (error) => {
        this.devtools.close(error);
        resolve();
      });
      this.#child.once('exit', (code) => {
        const last = words.trim().split('\n').at(-1) || `exit code ${code}`;
        this.devtools.close(roundtripError('lab.browser-ended', { detail: last }));
        resolve();
      });
    });
  }

  /** `Chromium 156.0.8078.79`. */
  async version(): Promise<string> {
    const { product } = await this.devtools.call('Browser.getVersion');
    return String(product).replace(/^(?:Headless)?Chrome\//, 'Chromium ');
  }

  /** Ends the browser and removes its profile. Never rejects. */
  async close(): Promise<void> {
    const killing = setTimeout(() => this.#child.kill('SIGKILL'), CLOSING_LIMIT);
    await Promise.race([this.devtools.call('Browser.close').catch(() => undefined), this.#ended]);
    await this.#ended;
    clearTimeout(killing);
    await removeOwnedFolder(this.#profile);
  }
}

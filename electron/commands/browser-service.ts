import { roundtripError } from '../engine/errors.ts';
import type { CertificateAuthority } from '../engine/tls/certificate-authority.ts';
import { findBrowsers } from '../system/browsers.ts';
import { type LaunchedBrowser, launchBrowser } from '../system/launch-browser.ts';
import type { Browsers } from './host-services.ts';

/** Chromium takes what it is given as a page, and some pages are commands. */
function checkPage(url: string | null): void {
  if (url === null || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))) return;
  const detail = 'only http and https addresses are opened';
  throw roundtripError('browser.start-failed', { name: 'The browser', detail });
}

/** The browsers of this machine, launched towards the proxy as it is at that moment. */
export class BrowserService implements Browsers {
  readonly #authority: () => CertificateAuthority;
  readonly #dataFolder: string;
  readonly #proxyUrl: () => string;
  readonly #launched = new Set<LaunchedBrowser>();

  /** `proxyUrl`: empty while the proxy does not run. */
  constructor(authority: () => CertificateAuthority, dataFolder: string, proxyUrl: () => string) {
    this.#authority = authority;
    this.#dataFolder = dataFolder;
    this.#proxyUrl = proxyUrl;
  }

  list(): ReturnType<Browsers['list']> {
    return findBrowsers();
  }

  async launch({ id, url }: Parameters<Browsers['launch']>[0]): ReturnType<Browsers['launch']> {
    checkPage(url);
    const browser = (await findBrowsers()).find((one) => one.id === id);
    if (browser === undefined) throw roundtripError('browser.not-found', { id });
    const proxyUrl = this.#proxyUrl();
    if (proxyUrl === '') throw roundtripError('engine.stopped', {});
    const { spkiHash, certificatePath: caPath } = this.#authority();
    const launched = await launchBrowser({ browser, url, proxyUrl, spkiHash, caPath, dataFolder: this.#dataFolder });
    this.#launched.add(launched);
    void launched.exited.finally(() => this.#launched.delete(launched));
    return { pid: launched.pid };
  }

  /** Ends what was launched: without the proxy those browsers reach nothing, and their profiles are to go. */
  async close(): Promise<void> {
    await Promise.all([...this.#launched].map((launched) => launched.close()));
  }
}

import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { type Browser, chromium } from 'playwright-core';
import { browserSpki } from '../../support/browser-spki.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../../support/chromium.ts';
import { openTunnel } from '../../support/tunnel.ts';

/** By the proxy's host:port; '': direct, and the product's own window under 'window'. */
const browsers = new Map<string, Promise<Browser>>();

function launch(flags: readonly string[]): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('there is no Chrome, Chromium or Edge (CHROME_PATH names one)');
  // A signal ends the whole benchmark, including its browsers; it must not continue without them.
  const args = [...CHROMIUM_FLAGS, ...flags];
  return chromium.launch({ executablePath, args, handleSIGINT: false, handleSIGTERM: false });
}

/** The certificate that a client of the proxy gets of the origin; PEM. */
async function certificateOf(proxy: string | null, url: URL): Promise<string> {
  const socket =
    proxy === null
      ? net.connect(Number(url.port), url.hostname)
      : await openTunnel({ port: Number(new URL(`http://${proxy}`).port) }, url.host);
  const secure = tls.connect({ socket, servername: url.hostname, rejectUnauthorized: false });
  try {
    await once(secure, 'secureConnect');
    const certificate = secure.getPeerX509Certificate();
    if (certificate === undefined) throw new Error(`no certificate of ${url.host}`);
    return certificate.toString();
  } finally {
    secure.destroy();
  }
}

/**
 * A browser for each contender, that trusts its certificate as a browser does where the CA is installed. A browser that
 * ignores certificate errors refuses each new connection first and opens another: 15 to 836 more handshakes for two
 * pages, at random.
 */
export function pageBrowser(proxy: string | null, url: string): Promise<Browser> {
  const known = browsers.get(proxy ?? '');
  if (known) return known;
  const browser = certificateOf(proxy, new URL(url)).then((pem) =>
    launch([`--ignore-certificate-errors-spki-list=${browserSpki(pem)}`]),
  );
  browsers.set(proxy ?? '', browser);
  return browser;
}

/** One more, for the product's own window. */
export function windowBrowser(): Promise<Browser> {
  const known = browsers.get('window') ?? launch([]);
  browsers.set('window', known);
  return known;
}

export async function closeBrowsers(): Promise<void> {
  const open = [...browsers.values()];
  browsers.clear();
  for (const browser of await Promise.allSettled(open)) if (browser.status === 'fulfilled') await browser.value.close();
}

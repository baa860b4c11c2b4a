import type { LaunchOptions } from './launch-options.ts';

/**
 * Requests to Google's servers at the start: the time (over plain HTTP), hints for pages, whether the address bar
 * offers AI Mode, and a connection to the search engine.
 */
const REQUESTS = ['NetworkTimeServiceQuerying', 'OptimizationHints', 'AimEnabled', 'PreconnectToSearch'];

/**
 * Switches for a Chromium that shows no prompts and sends no requests unasked. `off`: features to turn off as well;
 * Chromium takes only the last switch that names any.
 */
export function quietSwitches(off: readonly string[] = []): string[] {
  return [
    '--no-first-run',
    '--no-default-browser-check',
    // The browser's own requests would only clutter the recording.
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    `--disable-features=${[...REQUESTS, ...off].join(',')}`,
    // Chromium's sandbox refuses to run as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
}

/**
 * A Chromium that sends everything through the proxy and trusts our CA, without anything outside its profile:
 * `<-loopback>` takes loopback off the built-in bypass list; the CA's key is allowed by hash, which needs the CA in the
 * chain that we send. QUIC would bypass the proxy.
 */
export function chromiumArguments({ proxyUrl, spkiHash, url }: LaunchOptions, profile: string): string[] {
  return [
    `--user-data-dir=${profile}`,
    `--proxy-server=${proxyUrl}`,
    '--proxy-bypass-list=<-loopback>',
    `--ignore-certificate-errors-spki-list=${spkiHash}`,
    '--disable-quic',
    ...quietSwitches(),
    url ?? 'about:blank',
  ];
}

/** Files that appear in the profile once the browser uses it: on Linux and macOS, then on Windows. */
export const CHROMIUM_MARKS = ['SingletonLock', 'lockfile', 'Local State'];

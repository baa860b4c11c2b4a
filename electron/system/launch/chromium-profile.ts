import type { LaunchOptions } from './launch-options.ts';

/**
 * A Chromium that sends everything through the proxy and trusts our CA, without anything outside its profile:
 * `<-loopback>` takes loopback off the built-in bypass list; the CA's key is allowed by hash, which needs the CA in the
 * chain that we send. QUIC would go past the proxy.
 */
export function chromiumArguments({ proxyUrl, spkiHash, url }: LaunchOptions, profile: string): string[] {
  return [
    `--user-data-dir=${profile}`,
    `--proxy-server=${proxyUrl}`,
    '--proxy-bypass-list=<-loopback>',
    `--ignore-certificate-errors-spki-list=${spkiHash}`,
    '--disable-quic',
    '--no-first-run',
    '--no-default-browser-check',
    // Its own errands would be rows that nobody asked for.
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    // It asks Google's servers for the time otherwise, over plain HTTP.
    '--disable-features=NetworkTimeServiceQuerying',
    // Chromium's sandbox refuses to run as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    url ?? 'about:blank',
  ];
}

/** What appears in the profile once the browser runs with it: Linux and macOS, Windows. */
export const CHROMIUM_MARKS = ['SingletonLock', 'lockfile', 'Local State'];

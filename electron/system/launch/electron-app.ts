import fs from 'node:fs';
import path from 'node:path';

/**
 * Switches that make an Electron app's Chromium use the proxy, loopback included, and trust our CA, for that process
 * only. The app keeps its data folder, and with it the user's login; nothing is stored there. Unlike Chromium,
 * Electron does not require `--user-data-dir` with the list of keys.
 */
export function electronSwitches(proxyUrl: string, spkiHash: string): string {
  const switches = [
    `--proxy-server=${proxyUrl}`,
    // Quoted for every shell.
    '"--proxy-bypass-list=<-loopback>"',
    `--ignore-certificate-errors-spki-list=${spkiHash}`,
    '--disable-quic',
    // Chromium's sandbox refuses to run as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ];
  return switches.join(' ');
}

/** On macOS an app is a folder that contains its program. */
function programOf(place: string): string {
  const folder = path.join(place, 'Contents/MacOS');
  if (!place.replace(/\/$/, '').endsWith('.app') || !fs.existsSync(folder)) return place;
  const names = fs.readdirSync(folder);
  const own = path.basename(place).replace(/\.app$/, '');
  return path.join(folder, names.includes(own) ? own : (names[0] ?? own));
}

/** Command line of an Electron app behind the proxy. `app`: a path, which may have spaces, or a command line. */
export function electronCommand(app: string, switches: string): string {
  const isPath = path.isAbsolute(app) && fs.existsSync(app);
  return `${isPath ? `"${programOf(app)}"` : app} ${switches}`;
}

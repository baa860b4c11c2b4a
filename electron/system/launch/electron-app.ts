import fs from 'node:fs';
import path from 'node:path';

/**
 * What makes the Chromium of an Electron app go through the proxy, loopback included, and trust our CA, for that process
 * alone. The app keeps its own data folder: it is inspected as its user has it, logged in; nothing of this is kept there.
 * Chromium wants a `--user-data-dir` beside the list of keys, Electron does not.
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

/** macOS: an app is a folder, its program is in it. */
function programOf(place: string): string {
  const folder = path.join(place, 'Contents/MacOS');
  if (!place.replace(/\/$/, '').endsWith('.app') || !fs.existsSync(folder)) return place;
  const names = fs.readdirSync(folder);
  const own = path.basename(place).replace(/\.app$/, '');
  return path.join(folder, names.includes(own) ? own : (names[0] ?? own));
}

/** The command line of an Electron app behind the proxy. `app`: a path, which may have blanks, or a command with its parameters. */
export function electronCommand(app: string, switches: string): string {
  const isPath = path.isAbsolute(app) && fs.existsSync(app);
  return `${isPath ? `"${programOf(app)}"` : app} ${switches}`;
}

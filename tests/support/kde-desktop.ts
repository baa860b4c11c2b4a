import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from './temporary-folder.ts';

/** What writes KDE's settings here; undefined if there is none. */
export const KDE_TOOL = ['kwriteconfig6', 'kwriteconfig5'].find((name) => spawnSync(name, ['--help']).status === 0);

/** A company's PAC file, an old manual proxy, and custom hosts: all of it must be restored. */
export const LIVED_KDE = [
  '[$Version]',
  'update_info=kioslave.upd:kde2.2/r1',
  '',
  '[Proxy Settings]',
  'NoProxyFor=localhost,.corp.test',
  'Proxy Config Script=http://pac.test/proxy.pac',
  'ProxyType=2',
  'ReversedException=true',
  'httpProxy=http://old.test 3128',
  'socksProxy=socks://socks.test 1080',
  '',
].join('\n');

/** A home whose user has KDE, with this for a proxy. */
export function kdeDesktop(kioslaverc: string | null): { env: Record<string, string>; file: string } {
  const home = temporaryFolder();
  const file = path.join(home, 'kioslaverc');
  if (kioslaverc !== null) fs.writeFileSync(file, kioslaverc);
  const inherited = Object.entries(process.env).filter(([, value]) => value !== undefined) as [string, string][];
  const proxies = { http_proxy: '', https_proxy: '', all_proxy: '', HTTPS_PROXY: '', ALL_PROXY: '' };
  const own = {
    HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_CURRENT_DESKTOP: 'KDE',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/x',
  };
  return { env: { ...Object.fromEntries(inherited), ...proxies, ...own }, file };
}

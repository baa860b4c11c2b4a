import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { hasProgram } from './has-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Whether GNOME's settings can be had on a bus of our own. */
export function hasGnomeSettings(): boolean {
  return (
    hasProgram('dbus-daemon') &&
    spawnSync('gsettings', ['list-keys', 'org.gnome.system.proxy'], { stdio: 'ignore' }).status === 0
  );
}

/** The environment of a GNOME session that is all a test's own: home, bus and settings. */
export async function privateGnome(): Promise<Record<string, string>> {
  const home = temporaryFolder();
  const own = {
    ...{ HOME: home, XDG_CONFIG_HOME: `${home}/config`, XDG_DATA_HOME: `${home}/data`, XDG_RUNTIME_DIR: home },
    ...{ XDG_CACHE_HOME: `${home}/cache`, XDG_CURRENT_DESKTOP: 'GNOME' },
  };
  const inherited = Object.entries(process.env).filter(([, value]) => value !== undefined) as [string, string][];
  const env = { ...Object.fromEntries(inherited), ...own };
  const bus: ChildProcess = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    const gone = once(bus, 'exit');
    bus.kill();
    await gone;
  });
  if (bus.stdout === null) throw new Error('no stdout');
  const [address] = await once(bus.stdout, 'data');
  return { ...env, DBUS_SESSION_BUS_ADDRESS: String(address).trim() };
}

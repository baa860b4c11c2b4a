import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { hasProgram } from './has-program.ts';

/** Whether GNOME's settings are available on our own bus. */
export function hasGnomeSettings(): boolean {
  return (
    hasProgram('dbus-daemon') &&
    spawnSync('gsettings', ['list-keys', 'org.gnome.system.proxy'], { stdio: 'ignore' }).status === 0
  );
}

export interface GnomeSession {
  env: Record<string, string>;
  /** Every key of the proxy's settings. */
  proxySettings(): string;
  set(schema: string, key: string, value: string): void;
  close(): Promise<void>;
}

/** A GNOME session for one test: home, bus and settings. `home`: an empty folder. */
export async function gnomeSession(home: string): Promise<GnomeSession> {
  const own = {
    ...{ HOME: home, XDG_CONFIG_HOME: `${home}/config`, XDG_DATA_HOME: `${home}/data`, XDG_RUNTIME_DIR: home },
    ...{ XDG_CACHE_HOME: `${home}/cache`, XDG_CURRENT_DESKTOP: 'GNOME' },
  };
  const inherited = Object.entries(process.env).filter(([, value]) => value !== undefined) as [string, string][];
  const without = { ...Object.fromEntries(inherited), ...own };
  const bus: ChildProcess = spawn('dbus-daemon', ['--session', '--nofork', '--print-address'], {
    env: without,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (bus.stdout === null) throw new Error('no stdout');
  const [address] = await once(bus.stdout, 'data');
  const env = { ...without, DBUS_SESSION_BUS_ADDRESS: String(address).trim() };
  return {
    env,
    proxySettings: () => execFileSync('gsettings', ['list-recursively', 'org.gnome.system.proxy'], { env }).toString(),
    set: (schema, key, value) => void execFileSync('gsettings', ['set', schema, key, value], { env }),
    close: async () => {
      const gone = once(bus, 'exit');
      bus.kill();
      await gone;
    },
  };
}

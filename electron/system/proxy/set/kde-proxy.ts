import fs from 'node:fs';
import { type Command, type Environment, findProgram } from '../../run-command.ts';
import { kdeFile } from '../read/kde-proxy.ts';
import { DesktopTool } from './desktop-tool.ts';
import type { PlatformContext, ProxyPlatform, ProxySettings } from './proxy-settings.ts';

const GROUP = 'Proxy Settings';
/** The keys by which kio's `kprotocolmanager.cpp` decides with a manual proxy. */
const KEYS = ['httpProxy', 'httpsProxy', 'socksProxy', 'NoProxyFor', 'ReversedException', 'ProxyType'];

/**
 * kwriteconfig(1), which requires a value even with `--delete`; and the signal by which kio-extras' own dialog
 * (`ksaveioconfig.cpp`) notifies running programs.
 */
const COMMANDS = {
  set: (tool: string, key: string, value: string): Command => [
    tool,
    ...['--file', 'kioslaverc', '--group', GROUP, '--key', key, value],
  ],
  remove: (tool: string, key: string): Command => [
    tool,
    ...['--file', 'kioslaverc', '--group', GROUP, '--key', key, '--delete', ''],
  ],
  tell: [
    'dbus-send',
    ...['--session', '--type=signal', '/KIO/Scheduler', 'org.kde.KIO.Scheduler.reparseSlaveConfiguration', 'string:'],
  ] as Command,
};

/** KDE's newest installed tool; null if there is none. */
export function findKwriteconfig(env: Environment): string | null {
  return findProgram('kwriteconfig6', env) ?? findProgram('kwriteconfig5', env);
}

/**
 * The keys of `kioslaverc`, each `=value`, or empty if it is not there. Throws for one that is locked or that KDE fills
 * in (`key[$i]`, `key[$e]`): it could not be restored.
 */
function parseKioslaverc(text: string): ProxySettings {
  const group = text.split(/^(?=\[)/m).find((part) => part.startsWith(`[${GROUP}]`)) ?? '';
  const found = new Map<string, string>();
  for (const [, key = '', flags = '', value = ''] of group.matchAll(/^(\w+)(\[\$\w+\])?=(.*)$/gm)) {
    if (KEYS.includes(key) && flags !== '') throw new Error(`${key} in kioslaverc is locked or computed (${flags})`);
    found.set(key, `=${value}`);
  }
  if (/^\[\$i\]|^\[Proxy Settings\]\[\$i\]/m.test(text))
    throw new Error("KDE's proxy settings are locked (kioslaverc)");
  return Object.fromEntries(KEYS.map((key) => [key, found.get(key) ?? '']));
}

function readIfThere(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
    throw error;
  }
}

/** Plasma: KDE's programs, and Chromium-based browsers on it. */
export class KdeProxy implements ProxyPlatform {
  readonly label = 'KDE';
  readonly #tool: DesktopTool;
  readonly #program: string;
  readonly #env: Environment;

  /** `program`: of `findKwriteconfig`. */
  constructor(context: PlatformContext, program: string) {
    this.#tool = new DesktopTool('kwriteconfig', context);
    this.#program = program;
    this.#env = context.env;
  }

  /**
   * From the user's own file: the tool would include the system's defaults, which could not be distinguished
   * afterwards.
   */
  async read(): Promise<ProxySettings> {
    return parseKioslaverc(readIfThere(kdeFile(this.#env)));
  }

  /** The type comes last: until then the other keys have no effect. KDE itself does not bypass loopback. */
  towards(before: ProxySettings, host: string, port: number): ProxySettings {
    const wanted: ProxySettings = {
      httpProxy: `=http://${host} ${port}`,
      httpsProxy: `=http://${host} ${port}`,
      socksProxy: '',
      NoProxyFor: '',
      ReversedException: '',
      ProxyType: '=1',
    };
    return Object.fromEntries(Object.entries(wanted).filter(([key, value]) => before[key] !== value));
  }

  async write(settings: ProxySettings): Promise<void> {
    for (const [key, value] of Object.entries(settings)) {
      const set = value.startsWith('=');
      await this.#tool.must(
        set ? COMMANDS.set(this.#program, key, value.slice(1)) : COMMANDS.remove(this.#program, key),
      );
    }
    // If this fails, running programs keep the old setting; new ones use the new one.
    await this.#tool.try(COMMANDS.tell);
  }

  describe({ ProxyType, httpProxy = '' }: ProxySettings): string {
    switch (ProxyType) {
      case '=1':
        return httpProxy
          .slice(1)
          .replace(/^\w+:\/\//, '')
          .replace(' ', ':');
      case '=2':
        return 'a PAC file';
      case '=3':
        return 'a PAC file found by WPAD';
      case '=4':
        return "the environment's";
      default:
        return 'none';
    }
  }
}

import type { Command, Environment } from '../../run-command.ts';
import { DesktopTool } from './desktop-tool.ts';
import type { PlatformContext, ProxyPlatform, ProxySettings } from './proxy-settings.ts';

const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
const VALUES = ['ProxyServer', 'ProxyOverride', 'AutoConfigURL', 'AutoDetect', 'ProxyEnable'];

function system32(env: Environment, program: string): string {
  return `${env.SystemRoot ?? env.SYSTEMROOT ?? 'C:\\Windows'}\\System32\\${program}`;
}

/** reg(1), and WinINet told that its settings changed (InternetSetOption: 39 settings changed, 37 refresh). */
const COMMANDS = {
  query: (env: Environment): Command => [system32(env, 'reg.exe'), 'query', KEY],
  set: (env: Environment, name: string, type: string, data: string): Command => [
    system32(env, 'reg.exe'),
    ...['add', KEY, '/v', name, '/t', type, '/d', data, '/f'],
  ],
  remove: (env: Environment, name: string): Command => [system32(env, 'reg.exe'), ...['delete', KEY, '/v', name, '/f']],
  refresh: (env: Environment): Command => [
    system32(env, 'WindowsPowerShell\\v1.0\\powershell.exe'),
    '-NoProfile',
    '-NonInteractive',
    '-Command',
    '$t = Add-Type -PassThru -Name WinInet -Namespace Roundtrip -MemberDefinition \'[DllImport("wininet.dll")] public static extern bool InternetSetOption(IntPtr a, int b, IntPtr c, int d);\'; $t::InternetSetOption(0, 39, 0, 0) | Out-Null; $t::InternetSetOption(0, 37, 0, 0) | Out-Null',
  ],
};

/** `    ProxyEnable    REG_DWORD    0x1` lines as `REG_DWORD 0x1`; empty for a value that is not there. */
export function parseRegistry(output: string): ProxySettings {
  const found = new Map(
    [...output.matchAll(/^ {4}(\S+) {4}(REG_\w+)(?: {4}(.*?))?\r?$/gm)].map(([, name = '', type = '', data = '']) => [
      name,
      `${type} ${data}`,
    ]),
  );
  return Object.fromEntries(VALUES.map((name) => [name, found.get(name) ?? '']));
}

/** The user's own Internet settings: Edge, Chrome, .NET, and Firefox by default. */
export class WindowsProxy implements ProxyPlatform {
  readonly label = 'Windows';
  readonly #tool: DesktopTool;
  readonly #env: Environment;

  constructor(context: PlatformContext) {
    this.#tool = new DesktopTool('the registry refused', context);
    this.#env = context.env;
  }

  async read(): Promise<ProxySettings> {
    return parseRegistry(await this.#tool.must(COMMANDS.query(this.#env)));
  }

  /** `<-loopback>` takes loopback off what goes past every proxy. */
  towards(before: ProxySettings, host: string, port: number): ProxySettings {
    const wanted: ProxySettings = {
      ProxyServer: `REG_SZ ${host}:${port}`,
      ProxyOverride: 'REG_SZ <-loopback>',
      AutoConfigURL: '',
      AutoDetect: 'REG_DWORD 0x0',
      ProxyEnable: 'REG_DWORD 0x1',
    };
    return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => before[name] !== value));
  }

  async write(settings: ProxySettings): Promise<void> {
    const env = this.#env;
    for (const [name, value] of Object.entries(settings)) {
      const [type = '', ...data] = value.split(' ');
      await this.#tool.must(value === '' ? COMMANDS.remove(env, name) : COMMANDS.set(env, name, type, data.join(' ')));
    }
    // If this fails, running programs keep the old setting; new ones use the new one.
    await this.#tool.try(COMMANDS.refresh(env));
  }

  describe({ ProxyEnable, ProxyServer, AutoConfigURL }: ProxySettings): string {
    if (ProxyEnable === 'REG_DWORD 0x1') return (ProxyServer ?? '').replace('REG_SZ ', '');
    return AutoConfigURL ? `a PAC file: ${AutoConfigURL.replace('REG_SZ ', '')}` : 'none';
  }
}

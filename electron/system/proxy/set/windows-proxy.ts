import type { Command, Environment } from '../../run-command.ts';
import { powershell, system32 } from '../../windows-tools.ts';
import { proxyOnly } from './connection-settings.ts';
import { DesktopTool } from './desktop-tool.ts';
import type { PlatformContext, ProxyPlatform, ProxySettings } from './proxy-settings.ts';

const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
const CONNECTIONS = `${KEY}\\Connections`;
/** Where WinINet stores all settings a second time, and automatic detection only there. */
const BLOB = 'DefaultConnectionSettings';
const VALUES = ['ProxyServer', 'ProxyOverride', 'AutoConfigURL', 'ProxyEnable'];
const BYPASS = '<-loopback>';

function keyOf(name: string): string {
  return name === BLOB ? CONNECTIONS : KEY;
}

/**
 * reg(1), and a notification to WinINet that its settings changed (InternetSetOption: 39 settings changed, 37 refresh).
 */
const COMMANDS = {
  query: (env: Environment): Command => [system32(env, 'reg.exe'), 'query', KEY],
  queryBlob: (env: Environment): Command => [system32(env, 'reg.exe'), 'query', CONNECTIONS, '/v', BLOB],
  set: (env: Environment, name: string, type: string, data: string): Command => [
    system32(env, 'reg.exe'),
    ...['add', keyOf(name), '/v', name, '/t', type, '/d', data, '/f'],
  ],
  remove: (env: Environment, name: string): Command => [
    system32(env, 'reg.exe'),
    ...['delete', keyOf(name), '/v', name, '/f'],
  ],
  refresh: (env: Environment): Command => [
    powershell(env),
    '-NoProfile',
    '-NonInteractive',
    '-Command',
    '$t = Add-Type -PassThru -Name WinInet -Namespace Roundtrip -MemberDefinition \'[DllImport("wininet.dll")] ' +
      "public static extern bool InternetSetOption(IntPtr a, int b, IntPtr c, int d);'; $t::InternetSetOption(0, " +
      '39, 0, 0) | Out-Null; $t::InternetSetOption(0, 37, 0, 0) | Out-Null',
  ],
};

/** `    ProxyEnable    REG_DWORD    0x1` lines as `REG_DWORD 0x1`; empty for a value that is not there. */
function parseRegistry(output: string): ProxySettings {
  const found = new Map(
    [...output.matchAll(/^ {4}(\S+) {4}(REG_\w+)(?: {4}(.*?))?\r?$/gm)].map(([, name = '', type = '', data = '']) => [
      name,
      `${type} ${data}`,
    ]),
  );
  return Object.fromEntries([...VALUES, BLOB].map((name) => [name, found.get(name) ?? '']));
}

/** The user's own Internet settings: Edge, Chrome, .NET, and Firefox by default. */
export class WindowsProxy implements ProxyPlatform {
  readonly label = 'Windows';
  readonly #tool: DesktopTool;
  readonly #env: Environment;

  constructor(context: PlatformContext) {
    this.#tool = new DesktopTool('the registry rejected the change', context);
    this.#env = context.env;
  }

  async read(): Promise<ProxySettings> {
    const values = await this.#tool.must(COMMANDS.query(this.#env));
    // A new user has no such value.
    const { stdout: blob } = await this.#tool.try(COMMANDS.queryBlob(this.#env));
    return parseRegistry(`${values}\r\n${blob}`);
  }

  /** `<-loopback>` removes loopback from the addresses that bypass every proxy. */
  towards(before: ProxySettings, host: string, port: number): ProxySettings {
    const wanted: Record<string, string> = {
      ProxyServer: `REG_SZ ${host}:${port}`,
      ProxyOverride: `REG_SZ ${BYPASS}`,
      AutoConfigURL: '',
      ProxyEnable: 'REG_DWORD 0x1',
    };
    const blob = proxyOnly((before[BLOB] ?? '').replace('REG_BINARY ', ''), `${host}:${port}`, BYPASS);
    if (blob !== null) wanted[BLOB] = `REG_BINARY ${blob}`;
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

import { DesktopTool } from './desktop-tool.ts';
import type { PlatformContext, ProxyPlatform, ProxySettings } from './proxy-settings.ts';

const TOOL = '/usr/sbin/networksetup';

/** networksetup(8): the settings that are read and written for each network service. */
const KINDS = {
  web: { get: '-getwebproxy', set: '-setwebproxy', state: '-setwebproxystate' },
  secure: { get: '-getsecurewebproxy', set: '-setsecurewebproxy', state: '-setsecurewebproxystate' },
  socks: { get: '-getsocksfirewallproxy', set: '-setsocksfirewallproxy', state: '-setsocksfirewallproxystate' },
} as const;
type Kind = keyof typeof KINDS;

/** `Wi-Fi`, one a line, under a line of explanation; a disabled service has a star before it. */
function parseServices(output: string): string[] {
  return output
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('*'));
}

function field(output: string, name: string): string {
  return new RegExp(`^${name}: ?(.*)$`, 'm').exec(output)?.[1]?.trim() ?? '';
}

/**
 * `Enabled: Yes` / `Server: a.test` / `Port: 8080` as `on a.test 8080`. Throws for one with a password: it can't be
 * restored.
 */
function parseProxy(output: string): string {
  if (field(output, 'Authenticated Proxy Enabled') === '1')
    throw new Error(
      'a network service has a proxy with a password, which could not be restored: set the proxy by hand',
    );
  return [field(output, 'Enabled') === 'Yes' ? 'on' : 'off', field(output, 'Server'), field(output, 'Port')].join(' ');
}

/** `URL: http://a.test/p.pac` / `Enabled: Yes` as `on http://a.test/p.pac`. */
function parseAutoProxy(output: string): string {
  const url = field(output, 'URL');
  return `${field(output, 'Enabled') === 'Yes' ? 'on' : 'off'} ${url === '(null)' ? '' : url}`;
}

/** Domains, one a line, or a sentence that there are none. */
function parseBypass(output: string): string {
  const lines = output.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.includes(' ')).join(' ');
}

/**
 * Every active network service of macOS; each has its own proxy. Takes effect at once; an administrator's account
 * needs no password.
 */
export class MacosProxy implements ProxyPlatform {
  readonly label = 'macOS';
  readonly #tool: DesktopTool;

  constructor(context: PlatformContext) {
    this.#tool = new DesktopTool('networksetup', context);
  }

  #must(...parameters: string[]): Promise<string> {
    return this.#tool.must([TOOL, ...parameters]);
  }

  async #readService(service: string): Promise<[string, string][]> {
    const found: [string, string][] = [];
    for (const kind of Object.keys(KINDS) as Kind[])
      found.push([`${service}|${kind}`, parseProxy(await this.#must(KINDS[kind].get, service))]);
    found.push([`${service}|auto`, parseAutoProxy(await this.#must('-getautoproxyurl', service))]);
    const discovery = field(await this.#must('-getproxyautodiscovery', service), 'Auto Proxy Discovery');
    found.push([`${service}|discovery`, discovery === 'On' ? 'on' : 'off']);
    found.push([`${service}|bypass`, parseBypass(await this.#must('-getproxybypassdomains', service))]);
    return found;
  }

  async read(): Promise<ProxySettings> {
    const services = parseServices(await this.#must('-listallnetworkservices'));
    const all: [string, string][] = [];
    for (const service of services) all.push(...(await this.#readService(service)));
    if (all.length === 0) throw new Error('there is no active network service');
    return Object.fromEntries(all);
  }

  towards(before: ProxySettings, host: string, port: number): ProxySettings {
    const wanted: Record<string, (was: string) => string> = {
      bypass: () => '',
      auto: (was) => was.replace(/^on/, 'off'),
      discovery: () => 'off',
      socks: (was) => was.replace(/^on/, 'off'),
      web: () => `on ${host} ${port}`,
      secure: () => `on ${host} ${port}`,
    };
    const services = [...new Set(Object.keys(before).map((key) => key.split('|')[0] ?? ''))];
    const settings = services.flatMap((service) =>
      Object.entries(wanted).map(([kind, value]) => {
        const key = `${service}|${kind}`;
        return [key, value(before[key] ?? '')] as const;
      }),
    );
    return Object.fromEntries(settings.filter(([key, value]) => before[key] !== value));
  }

  async #writeOne(service: string, kind: string, value: string): Promise<void> {
    const [state = 'off', first = '', second = ''] = value.split(' ');
    if (kind === 'bypass') {
      await this.#must('-setproxybypassdomains', service, ...(value === '' ? ['Empty'] : value.split(' ')));
    } else if (kind === 'discovery') {
      await this.#must('-setproxyautodiscovery', service, value);
    } else if (kind === 'auto') {
      if (first !== '') await this.#must('-setautoproxyurl', service, first);
      await this.#must('-setautoproxystate', service, state);
    } else {
      const { set, state: setState } = KINDS[kind as Kind];
      // Setting the server turns it on: the state comes after it. An empty one is accepted too (seen on macOS 26):
      // otherwise ours would remain, turned off, until the user turns it on again.
      await this.#must(set, service, first, second || '0');
      await this.#must(setState, service, state);
    }
  }

  async write(settings: ProxySettings): Promise<void> {
    for (const [key, value] of Object.entries(settings)) {
      const [service = '', kind = ''] = key.split('|');
      await this.#writeOne(service, kind, value);
    }
  }

  describe(settings: ProxySettings): string {
    const on = Object.entries(settings).filter(
      ([key, value]) => /\|(web|secure)$/.test(key) && value.startsWith('on '),
    );
    const [first] = on;
    return first ? first[1].replace('on ', '').replace(' ', ':') : 'none';
  }
}

import type { Command } from '../../run-command.ts';
import { DesktopTool } from './desktop-tool.ts';
import type { PlatformContext, ProxyPlatform, ProxySettings } from './proxy-settings.ts';

const SCHEMA = 'org.gnome.system.proxy';

/** gsettings(1). Its values are GVariant text, which `set` takes as `list-recursively` wrote it. */
const COMMANDS = {
  list: (): Command => ['gsettings', 'list-recursively', SCHEMA],
  set: (schema: string, key: string, value: string): Command => ['gsettings', 'set', schema, key, value],
};

/** `org.gnome.system.proxy.http port 8080` lines, as `org.gnome.system.proxy.http port` -> `8080`. */
function parseSettings(listing: string): ProxySettings {
  const lines = [...listing.matchAll(/^(org\.gnome\.system\.proxy\S*) (\S+) (.*)$/gm)];
  return Object.fromEntries(lines.map(([, schema = '', key = '', value = '']) => [`${schema} ${key}`, value]));
}

/**
 * GNOME, and the desktops that adopted its settings: Unity, Cinnamon, Budgie, Pantheon. Chrome and Firefox follow it
 * there.
 */
export class GnomeProxy implements ProxyPlatform {
  readonly label = 'GNOME';
  readonly #tool: DesktopTool;

  constructor(context: PlatformContext) {
    this.#tool = new DesktopTool('gsettings', context);
  }

  async read(): Promise<ProxySettings> {
    const settings = parseSettings(await this.#tool.must(COMMANDS.list()));
    if (!(`${SCHEMA} mode` in settings)) throw new Error('gsettings has no proxy settings');
    return settings;
  }

  /** The mode is set last: until then the other settings have no effect. */
  towards(before: ProxySettings, host: string, port: number): ProxySettings {
    const wanted: ProxySettings = {
      [`${SCHEMA}.http host`]: `'${host}'`,
      [`${SCHEMA}.http port`]: String(port),
      [`${SCHEMA}.http use-authentication`]: 'false',
      [`${SCHEMA}.https host`]: `'${host}'`,
      [`${SCHEMA}.https port`]: String(port),
      // Other settings would take precedence: a SOCKS host handles what no other does.
      [`${SCHEMA}.socks host`]: "''",
      [`${SCHEMA} ignore-hosts`]: '@as []',
      [`${SCHEMA} mode`]: "'manual'",
    };
    return Object.fromEntries(Object.entries(wanted).filter(([key]) => key in before));
  }

  async write(settings: ProxySettings): Promise<void> {
    for (const [name, value] of Object.entries(settings)) {
      const [schema = '', key = ''] = name.split(' ');
      await this.#tool.must(COMMANDS.set(schema, key, value));
    }
  }

  describe(settings: ProxySettings): string {
    const unquoted = (key: string): string => (settings[`${SCHEMA}${key}`] ?? '').replaceAll("'", '');
    const mode = unquoted(' mode');
    if (mode === 'manual') return `${unquoted('.http host')}:${unquoted('.http port')}`;
    return mode === 'auto' ? `a PAC file: ${unquoted(' autoconfig-url') || 'found by WPAD'}` : 'none';
  }
}

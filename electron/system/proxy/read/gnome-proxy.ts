import type { SystemProxy } from '../../../../shared/model/proxy/proxy-facts.ts';
import type { Command } from '../../run-command.ts';

export const GNOME_COMMAND: Command = ['gsettings', 'list-recursively', 'org.gnome.system.proxy'];

/** `org.gnome.system.proxy.http host 'proxy.test'` -> `http host` -> `proxy.test`. */
function readKeys(output: string): Map<string, string> {
  const keys = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [, schema = '', name = '', value = ''] =
      /^org\.gnome\.system\.proxy\.?(\w*) (\S+) (.*)$/.exec(line.trim()) ?? [];
    if (name !== '') keys.set(`${schema} ${name}`.trim(), value.replace(/^'(.*)'$/, '$1'));
  }
  return keys;
}

function stringsOf(list: string): string[] {
  return [...list.matchAll(/'([^']*)'/g)].map(([, text = '']) => text);
}

/** Reads the output of `gsettings`. Null: no proxy is set. */
export function gnomeProxy(output: string): SystemProxy | null {
  const keys = readKeys(output);
  const mode = keys.get('mode');
  const from = "GNOME's network settings";
  const bypass = stringsOf(keys.get('ignore-hosts') ?? '');
  if (mode === 'auto') {
    // Without a URL this means WPAD, which is off by default: anyone on the network could answer it.
    const pac = keys.get('autoconfig-url') || null;
    return pac === null ? null : { from, http: null, https: null, other: null, bypass, pac };
  }
  if (mode !== 'manual') return null;
  const address = (schema: string, scheme: string): string | null => {
    const host = keys.get(`${schema} host`);
    const port = Number(keys.get(`${schema} port`) ?? 0);
    return host && port > 0 ? `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}` : null;
  };
  const http = address('http', 'http');
  const https = address('https', 'http') ?? (keys.get('use-same-proxy') === 'true' ? http : null);
  return { from, http, https, other: address('socks', 'socks5h'), bypass, pac: null };
}

import type { SystemProxy } from '../../../shared/model/proxy-facts.ts';
import type { Command } from '../run-command.ts';

const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
export const WINDOWS_COMMAND: Command = ['reg', 'query', KEY];

/** `proxy.test:8080`, or `http=a:80;https=b:80;socks=c:1080`. */
function servers(text: string): Map<string, string> {
  if (!text.includes('=')) {
    return new Map([
      ['http', text],
      ['https', text],
    ]);
  }
  const pairs = text.split(';').map((part) => part.trim().split('=', 2) as [string, string]);
  return new Map(pairs.filter(([, address]) => address).map(([name, address]) => [name.toLowerCase(), address]));
}

function address(text: string | undefined, scheme: string): string | null {
  if (!text) return null;
  return text.includes('://') ? text : `${scheme}://${text}`;
}

/** Reads what `reg query` printed of the Internet Settings. Null: no proxy is set there. */
export function windowsProxy(output: string): SystemProxy | null {
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of output.matchAll(/^\s+(\w+)\s+REG_\w+\s+(.*?)\s*$/gm)) values.set(name, value);
  const from = "Windows' internet settings";
  const override = (values.get('ProxyOverride') ?? '').split(';').map((entry) => entry.trim());
  const bypass = override.filter(Boolean).map((entry) => (/[*<]/.test(entry) ? entry : `=${entry}`));
  const pac = values.get('AutoConfigURL') || null;
  const enabled = Number(values.get('ProxyEnable') ?? 0) === 1;
  const named = enabled ? servers(values.get('ProxyServer') ?? '') : new Map<string, string>();
  const http = address(named.get('http'), 'http');
  const https = address(named.get('https'), 'http');
  const other = address(named.get('socks'), 'socks4a');
  if (http === null && https === null && other === null && pac === null) return null;
  return { from, http, https, other, bypass, pac };
}

import type { SystemProxy } from '../../../../shared/model/proxy/proxy-facts.ts';

export interface WindowsSettings {
  /** `proxy.test:8080`, or `http=a:80;https=b:80;socks=c:1080`; empty: none. Spaces may separate them too. */
  proxies: string;
  /** `*.corp.test;intranet;<local>`. */
  bypass: string;
  pac: string | null;
}

function servers(text: string): Map<string, string> {
  if (!text.includes('=')) {
    return new Map([
      ['http', text],
      ['https', text],
    ]);
  }
  const pairs = text.split(/[;\s]+/).map((part) => part.split('=', 2) as [string, string]);
  return new Map(pairs.filter(([, address]) => address).map(([name, address]) => [name.toLowerCase(), address]));
}

function address(text: string | undefined, scheme: string): string | null {
  if (!text) return null;
  return text.includes('://') ? text : `${scheme}://${text}`;
}

/** Parses a list of proxies as WinINet and WinHTTP write it. Null: it names none. */
export function windowsServers({ proxies, bypass, pac }: WindowsSettings, from: string): SystemProxy | null {
  const entries = bypass.split(/[;\s]+/).filter(Boolean);
  const named = servers(proxies);
  const http = address(named.get('http'), 'http');
  const https = address(named.get('https'), 'http');
  const other = address(named.get('socks'), 'socks4a');
  if (http === null && https === null && other === null && pac === null) return null;
  return { from, http, https, other, bypass: entries.map((entry) => (/[*<]/.test(entry) ? entry : `=${entry}`)), pac };
}

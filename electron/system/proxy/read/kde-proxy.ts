import path from 'node:path';
import type { SystemProxy } from '../../../../shared/model/proxy/proxy-facts.ts';
import type { Command, Environment } from '../../run-command.ts';

/** The file in which KDE keeps the settings (kio, `kprotocolmanager.cpp`). */
export function kdeFile(env: Environment): string {
  return path.join(env.XDG_CONFIG_HOME || path.join(env.HOME ?? '/', '.config'), 'kioslaverc');
}

export function kdeCommand(env: Environment): Command {
  return ['cat', kdeFile(env)];
}

export function isKde(env: Environment): boolean {
  return (env.XDG_CURRENT_DESKTOP ?? '').split(':').includes('KDE');
}

/** `http://proxy.test 3128`, or with a colon. SOCKS means version 5. */
function address(text: string | undefined, scheme: string): string | null {
  const [, , host, port] = /^(\w+:\/\/)?([^\s/]+?)[\s:]+(\d+)\/?$/.exec(text?.trim() ?? '') ?? [];
  return host && port ? `${scheme}://${host}:${port}` : null;
}

/**
 * Reads `kioslaverc`. Null: no proxy is set, or KDE uses a mode that is not supported here (WPAD, environment
 * variables).
 */
export function kdeProxy(output: string): SystemProxy | null {
  const group = output.split(/^\[/m).find((part) => part.startsWith('Proxy Settings]\n')) ?? '';
  const keys = new Map<string, string>();
  for (const [, name = '', value = ''] of group.matchAll(/^([\w ]+?)(?:\[\$e\])?=(.*)$/gm))
    keys.set(name, value.trim());
  const from = "KDE's network settings";
  const bypass = (keys.get('NoProxyFor') ?? '').split(/[,\s]+/).filter(Boolean);
  const type = keys.get('ProxyType');
  const pac = keys.get('Proxy Config Script') || null;
  if (type === '2') return pac === null ? null : { from, http: null, https: null, other: null, bypass, pac };
  if (type !== '1') return null;
  const [http, https] = [address(keys.get('httpProxy'), 'http'), address(keys.get('httpsProxy'), 'http')];
  const other = address(keys.get('socksProxy'), 'socks5h');
  if (http === null && https === null && other === null) return null;
  return { from, http, https, other, bypass, pac: null };
}

import type { SystemProxy } from '../../../../shared/model/proxy/proxy-facts.ts';
import type { Command } from '../../run-command.ts';

export const MACOS_COMMAND: Command = ['scutil', '--proxy'];

/** Reads what `scutil --proxy` printed: `  HTTPEnable : 1`, and the ExceptionsList as an array. Null: none is set. */
export function macosProxy(output: string): SystemProxy | null {
  const keys = new Map<string, string>();
  for (const [, name = '', value = ''] of output.matchAll(/^\s{2}(\w+) : (.*)$/gm)) keys.set(name, value.trim());
  const list = /ExceptionsList : <array> \{([^}]*)\}/.exec(output)?.[1] ?? '';
  const bypass = [...list.matchAll(/^\s*\d+ : (.*)$/gm)].map(([, entry = '']) => exactly(entry.trim()));
  if (keys.get('ExcludeSimpleHostnames') === '1') bypass.push('<local>');
  const from = "macOS's network settings";
  const on = (name: string): boolean => keys.get(`${name}Enable`) === '1';
  const address = (name: string, scheme: string): string | null => {
    const host = keys.get(`${name}Proxy`);
    const port = keys.get(`${name}Port`);
    return on(name) && host && port ? `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}` : null;
  };
  const pac = on('ProxyAutoConfig') ? (keys.get('ProxyAutoConfigURLString') ?? null) : null;
  const [http, https, other] = [address('HTTP', 'http'), address('HTTPS', 'http'), address('SOCKS', 'socks5h')];
  if (http === null && https === null && other === null && pac === null) return null;
  return { from, http, https, other, bypass, pac };
}

/** On macOS, a name without `*` matches only that host. */
function exactly(entry: string): string {
  return entry.includes('*') || entry.includes('/') ? entry : `=${entry}`;
}

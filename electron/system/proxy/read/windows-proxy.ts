import type { SystemProxy } from '../../../../shared/model/proxy/proxy-facts.ts';
import type { Command } from '../../run-command.ts';
import { REG } from '../../windows-tools.ts';
import { windowsServers } from './windows-servers.ts';

const KEY = 'HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings';
export const WINDOWS_COMMAND: Command = [REG, 'query', KEY];

/** Reads the output of `reg query` for the Internet Settings. Null: no proxy is set. */
export function windowsProxy(output: string): SystemProxy | null {
  const values = new Map<string, string>();
  for (const [, name = '', value = ''] of output.matchAll(/^\s+(\w+)\s+REG_\w+\s+(.*?)\s*$/gm)) values.set(name, value);
  const enabled = Number(values.get('ProxyEnable') ?? 0) === 1;
  const set = {
    proxies: enabled ? (values.get('ProxyServer') ?? '') : '',
    bypass: values.get('ProxyOverride') ?? '',
    pac: values.get('AutoConfigURL') || null,
  };
  return windowsServers(set, "Windows' internet settings");
}

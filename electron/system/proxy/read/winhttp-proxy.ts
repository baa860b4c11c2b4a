import type { SystemProxy } from '../../../../shared/model/proxy/proxy-facts.ts';
import type { Command } from '../../run-command.ts';
import { REG } from '../../windows-tools.ts';
import { windowsServers } from './windows-servers.ts';

/**
 * The registry value that `netsh winhttp set proxy`, or a policy, sets for the whole machine. It is used because
 * netsh's output is translated.
 */
export const WINHTTP_COMMAND: Command = [
  REG,
  'query',
  'HKLM\\SOFTWARE\\Microsoft\\Windows\\CurrentVersion\\Internet Settings\\Connections',
  '/v',
  'WinHttpSettings',
];

const PROXY = 2;
const AUTO_CONFIG_URL = 4;

/**
 * Reads the output of `reg query` for WinHttpSettings: a version, a counter and flags, then strings with their lengths
 * in front, all numbers 32 bits little-endian. The strings are the proxies, the bypass list and, in later versions
 * (`set advproxy`), the URL of a PAC file. Microsoft documents where the value is, not its format, which is that of
 * WinINet's DefaultConnectionSettings. Null: no proxy is set.
 */
export function winhttpProxy(output: string): SystemProxy | null {
  const hex = /^\s+WinHttpSettings\s+REG_BINARY\s+([0-9A-F]+)\s*$/im.exec(output)?.[1];
  if (hex === undefined) return null;
  const bytes = Buffer.from(hex, 'hex');
  if (bytes.length < 16) return null;
  const flags = bytes.readUInt32LE(8);
  let place = 12;
  const text = (): string => {
    if (place + 4 > bytes.length) return '';
    const from = place + 4;
    place = from + bytes.readUInt32LE(place);
    return bytes.toString('latin1', from, place).replace(/\0+$/, '');
  };
  const [proxies, bypass, url] = [text(), text(), text()];
  const set = {
    proxies: (flags & PROXY) === 0 ? '' : proxies,
    bypass,
    pac: (flags & AUTO_CONFIG_URL) === 0 ? null : url || null,
  };
  return windowsServers(set, "Windows' settings for services (WinHTTP)");
}

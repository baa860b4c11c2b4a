import type { Command } from '../../run-command.ts';
import { REG } from '../../windows-tools.ts';

/** The search list for short names. The last line is used (resolv.conf(5)). */
export const RESOLV_CONF_COMMAND: Command = ['cat', '/etc/resolv.conf'];

/** Reads resolv.conf: `search eng.corp.test corp.test`, or `domain corp.test`. */
export function resolvConfDomains(output: string): string[] {
  const last = [...output.matchAll(/^(?:search|domain)[ \t]+(.+)$/gm)].at(-1)?.[1] ?? '';
  return last.trim().split(/\s+/).filter(Boolean);
}

export const SCUTIL_DNS_COMMAND: Command = ['scutil', '--dns'];

/**
 * The first resolver in the output of `scutil --dns`, which is that of the primary network: its domains and interface.
 */
export function scutilDns(output: string): { domains: string[]; networkInterface: string | null } {
  const first = /^resolver #1$([\s\S]*?)(?=^resolver #|^DNS configuration|(?![\s\S]))/m.exec(output)?.[1] ?? '';
  const searched = [...first.matchAll(/^\s*search domain\[\d+\] : (\S+)/gm)].map(([, name = '']) => name);
  const domain = /^\s*domain\s+: (\S+)/m.exec(first)?.[1];
  const networkInterface = /^\s*if_index : \d+ \((\w+)\)/m.exec(first)?.[1] ?? null;
  return { domains: searched.length > 0 || domain === undefined ? searched : [domain], networkInterface };
}

export const WINDOWS_DOMAINS_COMMAND: Command = [
  REG,
  'query',
  'HKLM\\SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters',
];

/** From the output of `reg query` for the TCP/IP parameters: the machine's domain, then the domain from DHCP. */
export function windowsDomains(output: string): string[] {
  const value = (name: string): string | undefined =>
    new RegExp(`^\\s+${name}\\s+REG_SZ\\s+(\\S+)\\s*$`, 'm').exec(output)?.[1];
  return [value('Domain'), value('DhcpDomain')].filter((each) => each !== undefined);
}

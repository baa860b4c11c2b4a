import os from 'node:os';
import { type Command, type Environment, type RunCommand, runCommand } from '../../run-command.ts';
import { ipconfigCommand, ipconfigPac, NMCLI_COMMAND, nmcliPac } from './dhcp-pac.ts';
import {
  RESOLV_CONF_COMMAND,
  resolvConfDomains,
  SCUTIL_DNS_COMMAND,
  scutilDns,
  WINDOWS_DOMAINS_COMMAND,
  windowsDomains,
} from './dns-domains.ts';
import { winhttpPac } from './winhttp-pac.ts';
import { wpadUrls } from './wpad-names.ts';

interface Found {
  /** The PAC file from DHCP. */
  dhcp: string | null;
  domains: string[];
}

type Ask = (command: Command) => Promise<string>;

async function onUnix(ask: Ask, hostname: string): Promise<Found> {
  const [leases, resolver] = await Promise.all([ask(NMCLI_COMMAND), ask(RESOLV_CONF_COMMAND)]);
  const domains = resolvConfDomains(resolver);
  // The resolver's own default (resolv.conf(5)).
  const own = hostname.includes('.') ? [hostname.slice(hostname.indexOf('.') + 1)] : [];
  return { dhcp: nmcliPac(leases), domains: domains.length > 0 ? domains : own };
}

async function onMacos(ask: Ask): Promise<Found> {
  const { domains, networkInterface } = scutilDns(await ask(SCUTIL_DNS_COMMAND));
  const option = networkInterface === null ? '' : await ask(ipconfigCommand(networkInterface));
  return { dhcp: ipconfigPac(option), domains };
}

async function onWindows(ask: Ask, dhcp: Promise<string | null>): Promise<Found> {
  return { dhcp: await dhcp, domains: windowsDomains(await ask(WINDOWS_DOMAINS_COMMAND)) };
}

/** What this depends on; each defaults to this machine's own. */
interface WpadMachine {
  platform?: NodeJS.Platform;
  env?: Environment;
  run?: RunCommand;
  hostname?: string;
  askWinhttp?: () => Promise<string | null>;
}

/**
 * The URLs at which WPAD would look for a PAC file in this network, most likely first: DHCP's option 252 if the
 * system provides it (NetworkManager, macOS, Windows), then the DNS domains and their parents. Never rejects.
 */
export async function readWpadPlaces({
  platform = process.platform,
  env = process.env,
  run = runCommand,
  hostname = os.hostname(),
  askWinhttp = winhttpPac,
}: WpadMachine = {}): Promise<string[]> {
  // Some of these programs translate the names of values, which are needed to read them.
  const ask: Ask = async (command) => {
    const { status, stdout } = await run(command, { ...env, LC_ALL: 'C' });
    return status === 0 ? stdout : '';
  };
  const { dhcp, domains } =
    platform === 'darwin'
      ? await onMacos(ask)
      : platform === 'win32'
        ? await onWindows(ask, askWinhttp())
        : await onUnix(ask, hostname);
  const named = await Promise.all(domains.map(wpadUrls));
  return [...new Set([...(dhcp === null ? [] : [dhcp]), ...named.flat()])];
}

import type { Command } from '../../run-command.ts';
import { webAddress } from './web-address.ts';

/** NetworkManager asks DHCP servers for option 252 and calls it `wpad` (libnm-core, nm-dhcp-options.c). */
export const NMCLI_COMMAND: Command = ['nmcli', '-f', 'DHCP4', 'device', 'show'];

/**
 * Reads the output of `nmcli`: `DHCP4.OPTION[9]:   wpad = http://wpad.corp.test/wpad.dat`. Null: DHCP named no PAC
 * file.
 */
export function nmcliPac(output: string): string | null {
  return webAddress(/^DHCP4\.OPTION\[\d+\]:\s+wpad = (.*)$/m.exec(output)?.[1]);
}

/** macOS requests option 252 from DHCP servers; this reads it from one interface's lease. */
export function ipconfigCommand(networkInterface: string): Command {
  return ['ipconfig', 'getoption', networkInterface, '252'];
}

/** Reads the output of `ipconfig getoption`: the option's text. */
export function ipconfigPac(output: string): string | null {
  return webAddress(output);
}

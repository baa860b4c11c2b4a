import fs from 'node:fs';
import type { BlockList } from 'node:net';

/** RTF_LOCAL (include/uapi/linux/ipv6_route.h). */
const LOCAL = 0x80000000;

function contentOf(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

/**
 * Adds the addresses that Linux takes for its own. Node lists only those of interfaces that run: a bridge without
 * members, such as Docker's without containers, and a cable without a peer keep their addresses, and whatever listens
 * here answers at them. Routes of type `local` make whole networks such addresses.
 */
export function addLinuxAddresses(to: BlockList): void {
  if (process.platform !== 'linux') return;
  let address = '';
  for (const line of contentOf('/proc/net/fib_trie').split('\n')) {
    address = /\|-- (\S+)/.exec(line)?.[1] ?? address;
    const length = /\/(\d+) host LOCAL/.exec(line)?.[1];
    if (length !== undefined) to.addSubnet(address, Number(length), 'ipv4');
  }
  for (const line of contentOf('/proc/net/ipv6_route').split('\n')) {
    const [destination = '', length = '', , , , , , , flags = ''] = line.split(/\s+/);
    if ((Number.parseInt(flags, 16) & LOCAL) === 0) continue;
    const groups = destination.match(/.{4}/g) ?? [];
    to.addSubnet(groups.join(':'), Number.parseInt(length, 16), 'ipv6');
  }
}

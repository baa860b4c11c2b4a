import { networkInterfaces } from 'node:os';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import type { HostServices } from '../host-services.ts';

type Devices = OutputOf<'devices.status'>;

/** This machine's IPv4 addresses in its networks, or its IPv6 addresses if it has no IPv4: IPv4 is easier to type. */
function addresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outside = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const ipv4 = outside.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
  return ipv4.length > 0 ? ipv4 : outside.map(({ address }) => `[${address}]`);
}

/** Whether devices in the network can use the proxy, and the URLs of the page with their setup instructions. */
export function devicesOf({ recording }: HostServices): Devices {
  const { open, port } = recording.listening();
  return { open, urls: open ? addresses().map((address) => `http://${address}:${port}/`) : [] };
}

/** Lasts until it is turned off or Roundtrip ends: it is not saved. Connections through the proxy are closed. */
export async function openToDevices(open: boolean, host: HostServices): Promise<Devices> {
  if (host.recording.listening().open !== open) await host.recording.listenOn(open ? '0.0.0.0' : '127.0.0.1');
  return devicesOf(host);
}

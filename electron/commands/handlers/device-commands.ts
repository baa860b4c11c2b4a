import { networkInterfaces } from 'node:os';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import type { HostServices } from '../host-services.ts';

type Devices = OutputOf<'devices.status'>;

/** This machine's addresses in its networks, IPv4 first: what a person can type. */
function addresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const outside = all.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const ipv4 = outside.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
  return ipv4.length > 0 ? ipv4 : outside.map(({ address }) => `[${address}]`);
}

/** Whether devices of the network can come through, and the address of the page that tells them how. */
export function devicesOf({ recording }: HostServices): Devices {
  const { open, port } = recording.listening();
  return { open, urls: open ? addresses().map((address) => `http://${address}:${port}/`) : [] };
}

/** Until it is closed again or Roundtrip ends: it is not remembered. Connections through the proxy begin anew. */
export async function openToDevices(open: boolean, host: HostServices): Promise<Devices> {
  if (host.recording.listening().open !== open) await host.recording.listenOn(open ? '0.0.0.0' : '127.0.0.1');
  return devicesOf(host);
}

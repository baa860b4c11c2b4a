/**
 * Idle time before the system sends TCP keep-alive probes, milliseconds. They detect devices that left the network
 * without closing their connections, as a tunnel may be silent indefinitely.
 */
export const KEEP_ALIVE_DELAY = 60_000;

/** `127.0.0.1:443`, `[::1]:443`; an IPv4-mapped IPv6 address as IPv4; null if not connected. */
export function socketAddress(address: string | undefined, port: number | undefined): string | null {
  if (address === undefined || port === undefined) return null;
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`;
}

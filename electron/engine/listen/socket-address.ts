/**
 * When the system begins to ask whether a silent peer is still there; milliseconds. A device that leaves its network ends no
 * connection, and a tunnel may be silent for as long as it likes.
 */
export const KEEP_ALIVE_DELAY = 60_000;

/** `127.0.0.1:443`, `[::1]:443`; an IPv4 address mapped into IPv6 as IPv4; null while not connected. */
export function socketAddress(address: string | undefined, port: number | undefined): string | null {
  if (address === undefined || port === undefined) return null;
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`;
}

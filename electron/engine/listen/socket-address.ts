/** `127.0.0.1:443`, `[::1]:443`; an IPv4 address mapped into IPv6 as IPv4; null while not connected. */
export function socketAddress(address: string | undefined, port: number | undefined): string | null {
  if (address === undefined || port === undefined) return null;
  const plain = address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
  return plain.includes(':') ? `[${plain}]:${port}` : `${plain}:${port}`;
}

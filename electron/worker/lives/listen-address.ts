/** The proxy's URL for programs on this machine: an unspecified address is reached through loopback. */
export function proxyUrlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Whether other machines can reach a listener on this host. */
export function isOpenToNetwork(host: string): boolean {
  return !/^(127\.|localhost$|::1$)/.test(host);
}

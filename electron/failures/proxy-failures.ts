import { type Address, type Detail, entry } from './entry.ts';

/** Failures of an upstream proxy, and of finding one. */
export const PROXY_FAILURES = {
  'proxy.bad-address': entry<{ url: string; detail: string }>(
    'roundtrip',
    (a) => `The upstream proxy's address ${a.url} can't be used: ${a.detail}. Write it as http://host:port.`,
  ),
  'proxy.loop': entry<Address>(
    'roundtrip',
    (a) =>
      `The upstream proxy ${a.address} is Roundtrip itself: every request would loop forever. Choose another ` +
      'proxy, or none.',
  ),
  'proxy.host-not-found': entry<{ host: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy's host ${a.host} could not be found (DNS). Check the address in the toolbar.`,
  ),
  'proxy.refused': entry<Address>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} refused the connection. Check that it runs, and its port.`,
  ),
  'proxy.timeout': entry<Address & { seconds: number }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} did not respond within ${a.seconds} s. Check its address and your network.`,
  ),
  'proxy.connect-failed': entry<Address & Detail>(
    'upstream-proxy',
    (a) => `Connecting to the upstream proxy ${a.address} failed: ${a.detail}.`,
  ),
  'proxy.tls-untrusted': entry<Address & Detail>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} has a certificate that this machine does not trust: ${a.detail}. Add its CA ` +
      'to the proxy CAs in the settings.',
  ),
  'proxy.tls-handshake': entry<Address & Detail>(
    'upstream-proxy',
    (a) =>
      `The TLS handshake with the upstream proxy ${a.address} failed: ${a.detail}. If it does not use TLS itself, ` +
      'write its address as http://.',
  ),
  'proxy.authentication-required': entry<Address & { schemes: string }>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} requires a user name and password (${a.schemes}). ` +
      'Enter them in the proxy settings, or in its address (user:password@host:port).',
  ),
  'proxy.authentication-unsupported': entry<Address & { schemes: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} supports no authentication scheme that Roundtrip supports (${a.schemes}).`,
  ),
  'proxy.wrong-password': entry<Address & { scheme: string }>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} did not accept the user name and password (${a.scheme}). They are not sent ` +
      'again until you change or test them: more attempts could lock the account.',
  ),
  'proxy.forbidden': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} forbids ${a.target} (${a.status}). The proxy's rules decide this; its ` +
      'response is recorded.',
  ),
  'proxy.bad-gateway': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} could not reach ${a.target} (${a.status}). Its response is recorded.`,
  ),
  'proxy.unavailable': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} could not find or reach ${a.target}, or is overloaded (${a.status}). Its ` +
      'response is recorded.',
  ),
  'proxy.gateway-timeout': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} got no response from ${a.target} in time (${a.status}). Its response is ` +
      'recorded.',
  ),
  'proxy.connect-rejected': entry<Address & { status: number; target: string }>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} responded to CONNECT ${a.target} with ${a.status}.`,
  ),
  'proxy.socks-refused': entry<Address & Detail & { target: string }>(
    'upstream-proxy',
    (a) => `The SOCKS proxy ${a.address} did not connect to ${a.target}: ${a.detail}.`,
  ),
  'proxy.bad-answer': entry<Address & Detail>(
    'upstream-proxy',
    (a) =>
      `The upstream proxy ${a.address} sent a malformed response: ${a.detail}. Check that its address names the ` +
      'right scheme.',
  ),
  'proxy.empty-answer': entry<Address>(
    'upstream-proxy',
    (a) => `The upstream proxy ${a.address} closed the connection without a response.`,
  ),
  'proxy.pac-unreadable': entry<{ where: string; detail: string }>(
    'upstream-proxy',
    (a) => `The PAC file ${a.where} could not be read: ${a.detail}. No request is sent upstream until it can be read.`,
  ),
  'proxy.pac-failed': entry<{ where: string; detail: string }>(
    'upstream-proxy',
    (a) =>
      `The PAC script failed (${a.where}): ${a.detail}. Requests that depend on it fail until the script is fixed.`,
  ),
  'proxy.wpad-no-domain': entry(
    'upstream-proxy',
    () =>
      'WPAD has nowhere to look for a PAC file: DHCP names none, and this machine has no DNS domain below a public ' +
      'suffix. Set the proxy or the PAC file yourself. No request is sent upstream until one is found.',
  ),
  'proxy.wpad-not-found': entry<{ tried: string }>(
    'upstream-proxy',
    (a) =>
      `WPAD found no PAC file: ${a.tried}. Set the proxy or the PAC file yourself, or choose none. No request is ` +
      'sent upstream until one is found.',
  ),
  'proxy.pac-timeout': entry<{ url: string; seconds: number }>(
    'upstream-proxy',
    (a) => `The PAC script returned no result for ${a.url} within ${a.seconds} s and was terminated.`,
  ),
} as const;

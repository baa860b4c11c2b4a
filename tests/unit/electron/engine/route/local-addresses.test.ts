import { hostname, networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import {
  canonicalHost,
  isLocalAddress,
  isNameOfThisMachine,
  isThisMachine,
} from '../../../../../electron/engine/route/local-addresses.ts';

it.each([
  ['127.1', '127.0.0.1'],
  ['127.0.1', '127.0.0.1'],
  ['0x7f000001', '127.0.0.1'],
  ['0x7f.1', '127.0.0.1'],
  ['2130706433', '127.0.0.1'],
  ['0177.0.0.01', '127.0.0.1'],
  ['127.0.0.1.', '127.0.0.1'],
  ['0', '0.0.0.0'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::ffff:7f00:1', '127.0.0.1'],
  ['0:0:0:0:0:ffff:7f00:0001', '127.0.0.1'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['LocalHost.', 'localhost'],
  ['A.Test', 'a.test'],
  ['a_b.test', 'a_b.test'],
  ['256.256.256.256', '256.256.256.256'],
])('%s is read as %s', (host, wanted) => {
  expect(canonicalHost(host)).toBe(wanted);
});

it.each(['127.0.0.1', '127.8.9.10', '0.0.0.0', '::1', '::', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is this machine, and local',
  (address) => {
    expect([isThisMachine(address), isLocalAddress(address)]).toEqual([true, true]);
  },
);

it.each(['169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1', 'fe80::1%eth0', '::ffff:169.254.1.1'])(
  '%s is local',
  (address) => {
    expect(isLocalAddress(address)).toBe(true);
  },
);

it('every address of an interface is local, also mapped into IPv6', () => {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  expect(all.length).toBeGreaterThan(0);
  for (const { address, family } of all) {
    expect(isThisMachine(address), address).toBe(true);
    if (family === 'IPv4') expect(isThisMachine(`::ffff:${address}`), address).toBe(true);
  }
});

it.each(['192.0.2.77', '198.51.100.1', '10.255.255.254', '2001:db8::1', '::ffff:198.51.100.1', 'a.test', ''])(
  '%j is neither',
  (address) => {
    expect([isThisMachine(address), isLocalAddress(address)]).toEqual([false, false]);
  },
);

it('knows the names of this machine', () => {
  for (const name of ['localhost', 'a.localhost', hostname().toLowerCase()])
    expect(isNameOfThisMachine(name), name).toBe(true);
  for (const name of ['', 'a.test', 'localhost.test', `${hostname().toLowerCase()}.test`])
    expect(isNameOfThisMachine(name), name).toBe(false);
});

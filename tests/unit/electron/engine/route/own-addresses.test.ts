import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { OwnAddresses } from '../../../../../electron/engine/route/own-addresses.ts';

const OURS = new OwnAddresses(['127.0.0.1:8866', 'ui.test:9000']);

it.each([
  '127.0.0.1',
  '127.9.9.9',
  'localhost',
  'LOCALHOST',
  'a.localhost',
  '::1',
  '::ffff:127.0.0.1',
  '0.0.0.0',
  '::',
  'ui.test',
])('%s with one of our ports is ourselves', (host) => {
  expect(OURS.includes(host, 8866)).toBe(true);
  expect(OURS.includes(host, 9000)).toBe(true);
  expect(OURS.includes(host, 8867)).toBe(false);
});

it('every address of this machine is ourselves, and no other', () => {
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  for (const { address } of all) expect(OURS.includes(address, 8866), address).toBe(true);
  for (const host of ['192.0.2.1', '::ffff:192.0.2.1', '2001:db8::1', 'a.test', '127.0.0.1.a.test'])
    expect(OURS.includes(host, 8866), host).toBe(false);
});

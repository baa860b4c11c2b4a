import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAuthority } from '../../../../../electron/engine/http/h1-request.ts';
import { addressOf, makeOrigin, type Origin } from '../../../../../electron/engine/upstream/origin.ts';

const PLAIN: Omit<Origin, 'key'> = {
  scheme: 'https',
  host: 'a.test',
  port: 443,
  serverName: 'a.test',
  alpn: ['h2', 'http/1.1'],
  proxy: null,
};

describe('two exchanges share a connection', () => {
  it('where they go the same way', () => {
    expect(makeOrigin({ ...PLAIN, alpn: ['h2', 'http/1.1'] }).key).toBe(makeOrigin(PLAIN).key);
  });

  // What was verified for one name is not for another, and what was chosen of one list may not be on another.
  it.each<[string, Partial<Origin>]>([
    ['scheme', { scheme: 'http' }],
    ['host', { host: 'b.test' }],
    ['port', { port: 8443 }],
    ['server name', { serverName: 'b.test' }],
    ['protocols', { alpn: ['http/1.1'] }],
    ['order of protocols', { alpn: ['http/1.1', 'h2'] }],
    ['no protocols', { alpn: [] }],
  ])('but not with another %s', (_name, other) => {
    expect(makeOrigin({ ...PLAIN, ...other }).key).not.toBe(makeOrigin(PLAIN).key);
  });
});

it('an address is read as it was written', () => {
  const host = fc.oneof(fc.domain(), fc.ipV4(), fc.ipV6());
  fc.assert(
    fc.property(host, fc.integer({ min: 1, max: 65_535 }), (name, port) => {
      expect(parseAuthority(addressOf({ host: name, port }), 0)).toEqual({ host: name, port });
    }),
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAuthority } from '../../../../../electron/engine/http/h1-request.ts';
import type { Route } from '../../../../../electron/engine/route/route.ts';
import { addressOf, makeOrigin } from '../../../../../electron/engine/upstream/origin.ts';
import { type HostOverride, NO_OVERRIDE } from '../../../../../shared/model/settings.ts';

const PLAIN: Parameters<typeof makeOrigin>[0] = {
  scheme: 'https',
  host: 'a.test',
  port: 443,
  serverName: 'a.test',
  alpn: ['h2', 'http/1.1'],
};
const DIRECT: Route = { proxy: null, others: [], reason: 'no proxy', override: null };
const RULES: HostOverride = { ...NO_OVERRIDE, host: 'a.test' };
const key = (of: Partial<typeof PLAIN>, route: Partial<Route> = {}): string =>
  makeOrigin({ ...PLAIN, ...of }, { ...DIRECT, ...route }).key;

describe('two exchanges share a connection', () => {
  it('if they take the same route for any reason', () => {
    expect(key({ alpn: ['h2', 'http/1.1'] }, { reason: 'another' })).toBe(key({}));
  });

  // Verification for one name does not hold for another, and a choice from one list may not be on another.
  it.each<[string, Partial<typeof PLAIN>]>([
    ['scheme', { scheme: 'http' }],
    ['host', { host: 'b.test' }],
    ['port', { port: 8443 }],
    ['server name', { serverName: 'b.test' }],
    ['protocols', { alpn: ['http/1.1'] }],
    ['order of protocols', { alpn: ['http/1.1', 'h2'] }],
    ['no protocols', { alpn: [] }],
  ])('unless %s differs', (_name, other) => {
    expect(key(other)).not.toBe(key({}));
  });

  it.each<[string, Partial<HostOverride>]>([
    ['address', { address: '127.0.0.1' }],
    ['server name', { serverName: 'b.test' }],
    ['least TLS', { minTls: 'TLSv1.3' }],
    ['word on verification', { skipVerification: true }],
  ])('unless host rules set another %s', (_name, rule) => {
    expect(key({}, { override: { ...RULES, ...rule } })).not.toBe(key({}, { override: RULES }));
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

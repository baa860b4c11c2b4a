import { describe, expect, it } from 'vitest';
import { NO_RETRIES } from '../../../../shared/insight/fact-detail.ts';
import { type FactKind, sharedKind } from '../../../../shared/insight/fact-kind.ts';

const KIND: FactKind = {
  kind: 'http',
  state: 'complete',
  isTimed: true,
  method: 'GET',
  scheme: 'https',
  authority: 'kind.test',
  host: 'kind.test',
  origin: 'https://kind.test',
  status: 200,
  mediaType: 'text/html',
  resource: 'document',
  clientProtocol: 'h2',
  upstreamProtocol: 'h2',
  tls: null,
  isWhole: true,
  trailers: 0,
  isSized: false,
  attempts: 1,
  retries: NO_RETRIES,
  isFromCache: false,
};
const tls = { version: 'TLSv1.3', cipher: '', alpn: null, serverName: '', resumed: false, certificate: null };
const OTHERS: { [N in keyof FactKind]: FactKind[N] } = {
  kind: 'upgrade',
  state: 'failed',
  isTimed: false,
  method: 'POST',
  scheme: 'http',
  authority: 'other.test',
  host: 'other.test',
  origin: 'https://other.test',
  status: 304,
  mediaType: '',
  resource: 'fetch',
  clientProtocol: 'http/1.1',
  upstreamProtocol: null,
  tls,
  isWhole: false,
  trailers: 1,
  isSized: true,
  attempts: 2,
  retries: ['refused'],
  isFromCache: true,
};

describe('the kind of a fact', () => {
  it('is one object for equal ones', () => {
    expect(sharedKind({ ...KIND })).toBe(sharedKind({ ...KIND }));
  });

  it.each(Object.entries(OTHERS))('is another one if they differ in %s', (name, value) => {
    const known = sharedKind({ ...KIND });
    const other = sharedKind({ ...KIND, [name]: value });
    expect(other).not.toBe(known);
    expect(other).toEqual({ ...KIND, [name]: value });
  });

  it('is right also after more kinds than are remembered', () => {
    for (let status = 1000; status < 1500; status += 1) expect(sharedKind({ ...KIND, status }).status).toBe(status);
    for (let at = 0; at < 12_000; at += 1)
      expect(sharedKind({ ...KIND, authority: `${at}.test` }).authority).toBe(`${at}.test`);
    expect(sharedKind({ ...KIND })).toEqual(KIND);
  });
});

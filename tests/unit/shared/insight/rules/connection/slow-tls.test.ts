import { describe, expect, it } from 'vitest';
import { slowTls } from '../../../../../../shared/insight/rules/connection/slow-tls.ts';
import type { CertificateInfo } from '../../../../../../shared/model/tls-info.ts';
import { exampleFact, exampleFacts, foundBy } from '../../../../../support/example-fact.ts';

describe('slow-tls', () => {
  it('reports a handshake that takes far longer than a round trip', () => {
    const fact = exampleFact({ tls: {}, timings: { connect: 230, ssl: 210 } });
    expect(foundBy(slowTls, [fact])).toMatchObject([{ costMs: 190, confidence: 'medium' }]);
  });

  it('names a large RSA key, or a chain that needs another round trip', () => {
    const certificate = {
      subject: '',
      issuer: '',
      altNames: [],
      serialNumber: '',
      notBefore: '',
      notAfter: '',
      fingerprint: '',
    };
    const fact = exampleFact({ tls: {}, timings: { connect: 230, ssl: 210 } });
    const found = (of: Partial<CertificateInfo>) => {
      const tls = fact.tls && { ...fact.tls, certificate: { ...certificate, ...of } };
      const [finding] = foundBy(slowTls, [{ ...fact, tls }]);
      return [finding?.detail.split('. ').slice(1).join(), finding?.confidence];
    };
    expect(found({ keyType: 'rsa', keyBits: 4096 })).toEqual([expect.stringContaining('4096-bit RSA'), 'high']);
    expect(found({ keyType: 'rsa', keyBits: 2048 })).toEqual(['', 'medium']);
    expect(found({ chainLength: 9, chainBytes: 14_601 })).toEqual([expect.stringContaining('9 certificates'), 'high']);
    expect(found({ chainLength: 9, chainBytes: 14_600 })).toEqual(['', 'medium']);
  });

  it('reports full TLS 1.2 handshakes that a ticket would have shortened', () => {
    const full = { tls: { version: 'TLSv1.2' }, timings: { connect: 360, ssl: 240 } };
    const [finding] = foundBy(
      slowTls,
      exampleFacts(4, (index) => ({ ...full, at: index * 1000 })),
    );
    expect(finding?.title).toContain('3 TLS handshakes');
    expect(finding?.costMs).toBe(360);
  });

  it.each([
    ['a far server', exampleFacts(1, () => ({ tls: {}, timings: { connect: 600, ssl: 400 } }))],
    [
      'loopback, where only the machine is slow',
      exampleFacts(1, () => ({ origin: 'https://localhost', tls: {}, timings: { connect: 230, ssl: 210 } })),
    ],
    ['a short handshake', exampleFacts(1, () => ({ tls: {}, timings: { connect: 120, ssl: 110 } }))],
    [
      'resumed sessions',
      exampleFacts(9, (at) => ({
        at: at * 1000,
        tls: { version: 'TLSv1.2', resumed: true },
        timings: { connect: 360, ssl: 240 },
      })),
    ],
    [
      'TLS 1.3, where resuming saves no round trip',
      exampleFacts(9, (at) => ({ at: at * 1000, tls: {}, timings: { connect: 360, ssl: 240 } })),
    ],
  ])('is silent about %s', (_name, facts) => {
    expect(foundBy(slowTls, facts)).toEqual([]);
  });
});

import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { subjectAltName } from '../../../../../electron/engine/ca/certificate-extensions.ts';
import { certificateInfo } from '../../../../../electron/engine/ca/certificate-info.ts';
import { distinguishedName, selfSignCertificate } from '../../../../../electron/engine/ca/sign-certificate.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

function certificate(...options: string[]): X509Certificate {
  const key = path.join(temporaryFolder(), 'key.pem');
  const base = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
  return new X509Certificate(execFileSync('openssl', [...base, ...options], { stdio: ['ignore', 'pipe', 'ignore'] }));
}

describe('certificateInfo', () => {
  it('gives names, dates and fingerprint', () => {
    const x509 = certificate(
      '-subj',
      '/O=Test/CN=a.test',
      '-addext',
      'subjectAltName=DNS:a.test,IP:127.0.0.1',
      '-set_serial',
      '0x1234',
    );
    const info = certificateInfo(x509);
    expect(info).toMatchObject({
      subject: 'O=Test, CN=a.test',
      issuer: 'O=Test, CN=a.test',
      altNames: ['DNS:a.test', 'IP Address:127.0.0.1'],
      serialNumber: '1234',
    });
    expect(info.notAfter).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
    expect(Date.parse(info.notAfter)).toBe(Date.parse(x509.validTo));
    expect(info.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
  });

  it('does not split a name at a comma within it', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const extensions = [subjectAltName(['a.test, DNS:b.test', 'c.test'], true)];
    const dates = { notBefore: new Date(0), notAfter: new Date(1e12) };
    const der = selfSignCertificate({ subject: distinguishedName({}), extensions, ...dates }, privateKey);
    const names = certificateInfo(new X509Certificate(der)).altNames;
    expect(names).toEqual(['DNS:"a.test\\u002c DNS:b.test"', 'DNS:c.test']);
  });

  it('has no names if the certificate has none', () => {
    expect(certificateInfo(certificate('-subj', '/')).altNames).toEqual([]);
  });
});

import type { CaStatus } from '../../../shared/contract/requests/ca-requests.ts';
import type { TrustChange, TrustStoreStatus } from '../../../shared/model/trust-store.ts';

/** An invented CA, and what a Linux machine's stores would report about it. */
export const SAMPLE_CERTIFICATE = {
  subject: 'O=Roundtrip, CN=Roundtrip CA 1a2b3c4d',
  issuer: 'O=Roundtrip, CN=Roundtrip CA 1a2b3c4d',
  altNames: [],
  serialNumber: '01',
  notBefore: '2026-11-01T00:00:00Z',
  notAfter: '2036-11-01T00:00:00Z',
  fingerprint: Array(32).fill('A7').join(':'),
};

const stores: TrustStoreStatus[] = [
  {
    id: 'system',
    store: 'system',
    label: 'System store (Debian)',
    state: 'trusted',
    detail: '/etc/ssl/certs/ca-certificates.crt',
    needs: 'administrator',
  },
  {
    id: 'nss:a',
    store: 'nss',
    label: 'Chrome, Chromium, Edge, Brave',
    state: 'not-trusted',
    detail: '/home/ada/.pki/nssdb',
    needs: 'nobody',
  },
  {
    id: 'nss:b',
    store: 'nss',
    label: 'Chromium, snap',
    state: 'stale',
    detail: '/home/ada/snap/chromium/current/.pki/nssdb trusts Roundtrip CA 9f8e7d6c, an older Roundtrip CA',
    needs: 'nobody',
  },
  {
    id: 'firefox:a',
    store: 'firefox',
    label: 'Firefox: default-release',
    state: 'not-trusted',
    detail: '/home/ada/.mozilla/firefox/k3x9.default-release',
    needs: 'nobody',
  },
  {
    id: 'java:a',
    store: 'java',
    label: 'Java: java-21-openjdk-amd64',
    state: 'not-trusted',
    detail: '/etc/ssl/certs/java/cacerts',
    needs: 'administrator',
  },
  {
    id: 'environment:node',
    store: 'environment',
    label: 'Node.js (NODE_EXTRA_CA_CERTS)',
    state: 'not-trusted',
    detail: 'NODE_EXTRA_CA_CERTS is set in each terminal and command that Roundtrip starts',
    needs: 'none',
  },
];

export const SAMPLE_CA: CaStatus = {
  certificate: SAMPLE_CERTIFICATE,
  path: '/home/ada/.local/share/roundtrip/ca.crt',
  life: 'fresh',
  notices: [
    {
      code: 'ca.renewed',
      side: 'roundtrip',
      message:
        'The CA was about to expire and was renewed until 2036-11-01, with the same key. Install it again in the ' +
        'stores that trust the old one.',
      cause: null,
    },
  ],
  stores,
};

export const SAMPLE_CHANGES: TrustChange[] = [
  {
    id: 'nss:a',
    store: 'nss',
    label: 'Chrome, Chromium, Edge, Brave',
    ok: true,
    message: 'Put the CA into /home/ada/.pki/nssdb; restart running browsers. A TLS handshake confirmed it.',
  },
  {
    id: 'java:a',
    store: 'java',
    label: 'Java: java-21-openjdk-amd64',
    ok: false,
    message: 'sudo: a password is required. As an administrator, run: keytool -importcert -noprompt -trustcacerts',
  },
];

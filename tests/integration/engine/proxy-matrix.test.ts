import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { enterRealm, HAS_KERBEROS, kerberosRealm } from '../../support/kerberos.ts';
import { makeCertificate } from '../../support/openssl-certificates.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { dante, HAS, microsocks, nghttpx, squid, sshSocks, tinyproxy } from '../../support/real-proxies.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/**
 * The matrix: scheme of the proxy x login x origin (plain http, https with HTTP/1.1, with HTTP/2) x interception on and
 * off, each with a third-party proxy.
 */

const LOGIN = 'ann:s3cret';
const SQUID_SCHEMES = ['none', 'basic', 'digest', 'ntlm'] as const;

interface Way {
  name: string;
  available: boolean;
  /** Its address, including the login, and the CA that an https proxy's certificate needs. */
  start(): Promise<{ address: string; trust?: { proxyCaFiles: string[] } }>;
}

function proxyCertificate() {
  return makeCertificate(temporaryFolder(), 'proxy', {
    // A separate name: some machines trust a certificate called localhost, and a chain is built by name.
    commonName: 'roundtrip test proxy',
    extensions: ['subjectAltName=DNS:localhost'],
  });
}

/** A squid that accepts only a ticket, which this process has. */
async function kerberosSquid(tls?: { certificate: string; key: string }): Promise<number> {
  const realm = await kerberosRealm();
  enterRealm(realm);
  realm.login();
  const keytab = [realm.keytab, realm.service] as const;
  return await squid({ keytab, scheme: 'basic', login: 'nobody:knows', env: realm.env, ...(tls && { tls }) });
}

const WAYS: Way[] = [
  {
    name: 'http, tinyproxy, Basic',
    available: HAS.tinyproxy,
    start: async () => ({ address: `http://${LOGIN}@127.0.0.1:${await tinyproxy(LOGIN)}` }),
  },
  ...SQUID_SCHEMES.map((scheme) => ({
    name: `http, squid, ${scheme}`,
    available: HAS.squid,
    start: async () => ({ address: `http://${LOGIN}@127.0.0.1:${await squid({ scheme, login: LOGIN })}` }),
  })),
  {
    name: 'http, squid, negotiate',
    available: HAS.squid && HAS_KERBEROS,
    start: async () => ({ address: `http://localhost:${await kerberosSquid()}` }),
  },
  ...SQUID_SCHEMES.map((scheme) => ({
    name: `https, squid, ${scheme}`,
    available: HAS.squid,
    start: async () => {
      const tls = proxyCertificate();
      const port = await squid({ scheme, login: LOGIN, tls });
      return { address: `https://${LOGIN}@localhost:${port}`, trust: { proxyCaFiles: [tls.certificate] } };
    },
  })),
  {
    name: 'https, squid, negotiate',
    available: HAS.squid && HAS_KERBEROS,
    start: async () => {
      const tls = proxyCertificate();
      const port = await kerberosSquid(tls);
      return { address: `https://localhost:${port}`, trust: { proxyCaFiles: [tls.certificate] } };
    },
  },
  ...(['none', 'basic', 'digest'] as const).map((scheme) => ({
    name: `https over HTTP/2, nghttpx before squid, ${scheme}`,
    available: HAS.squid && HAS.nghttpx,
    start: async () => {
      const tls = proxyCertificate();
      const port = await nghttpx(await squid({ scheme, login: LOGIN }), tls);
      return { address: `https://${LOGIN}@localhost:${port}`, trust: { proxyCaFiles: [tls.certificate] } };
    },
  })),
  {
    name: 'https over HTTP/2, nghttpx before squid, negotiate',
    available: HAS.squid && HAS.nghttpx && HAS_KERBEROS,
    start: async () => {
      const tls = proxyCertificate();
      const port = await nghttpx(await kerberosSquid(), tls);
      return { address: `https://localhost:${port}`, trust: { proxyCaFiles: [tls.certificate] } };
    },
  },
  {
    name: 'socks5, microsocks, login',
    available: HAS.microsocks,
    start: async () => ({ address: `socks5://${LOGIN}@127.0.0.1:${await microsocks(LOGIN)}` }),
  },
  {
    name: 'socks5h, microsocks',
    available: HAS.microsocks,
    start: async () => ({ address: `socks5h://127.0.0.1:${await microsocks(null)}` }),
  },
  {
    name: 'socks4, dante',
    available: HAS.dante,
    start: async () => ({ address: `socks4://127.0.0.1:${await dante()}` }),
  },
  {
    name: 'socks4a, ssh -D',
    available: HAS.ssh,
    start: async () => ({ address: `socks4a://127.0.0.1:${await sshSocks()}` }),
  },
];

async function carriesEverything(engine: TestEngine, address: string, trust: object): Promise<void> {
  const h2 = await http2Origin((stream) => {
    stream.respond({ ':status': 200 });
    stream.end('over h2');
  });
  const h1 = await httpsOrigin((_request, response) => response.end('over h1'));
  const upstreamProxy = { enabled: true, url: address };
  const settings = { ...trust, upstreamProxy, upstreamCaFiles: [h1.caPath, h2.caPath] };
  engine.apply(settings);
  expect((await curl(engine, '--http2', h2.url)).stdout).toBe('over h2');
  expect((await curl(engine, h1.url)).stdout).toBe('over h1');
  const plain = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain'));
  for (const path of ['/a', '/b'])
    expect((await curl(engine, '-d', 'some=body', `http://127.0.0.1:${plain.port}${path}`)).stdout).toBe('plain');
  engine.apply({ ...settings, intercept: false });
  expect((await curl(engine, '-k', '--http2', h2.url)).stdout).toBe('over h2');
  expect((await curl(engine, '-k', h1.url)).stdout).toBe('over h1');
  await engine.seen.ended1(() => engine.seen.all.length === 6);
  // Two tunnels may end in either order.
  const all = [...engine.seen.all].sort((one, other) => one.id - other.id);
  expect(all.map((each) => each.upstream?.via)).toEqual(Array(6).fill(address.replace(/\/\/.*@/, '//')));
  const tunnels = ['tunnel', 'tunnel'];
  expect(all.map((each) => each.upstream?.protocol)).toEqual(['h2', 'http/1.1', 'http/1.1', 'http/1.1', ...tunnels]);
  expect(JSON.stringify(all)).not.toContain('s3cret');
  expect(plain.received()).not.toMatch(/^proxy-/im);
}

describe('a real upstream proxy carries everything', () => {
  for (const { name, available, start } of WAYS) {
    it.skipIf(!available)(name, async () => {
      const { address, trust = {} } = await start();
      await carriesEverything(await testEngine(), address, trust);
    });
  }
});

it.skipIf(!HAS.squid)("an https proxy's certificate is held against the list for proxies", async () => {
  const tls = proxyCertificate();
  const url = `https://localhost:${await squid({ tls })}`;
  const engine = await testEngine({ upstreamProxy: { enabled: true, url }, upstreamCaFiles: [] });
  await curl(engine, 'https://localhost:1/');
  expect((await engine.seen.ended1()).failure?.code).toBe('proxy.tls-untrusted');
});

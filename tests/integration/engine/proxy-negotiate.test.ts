import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ticketsBy } from '../../../electron/engine/upstream/proxy/tickets/kerberos-ticket.ts';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { hasProgram } from '../../support/has-program.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { enterRealm, HAS_KERBEROS, kerberosRealm } from '../../support/kerberos.ts';
import { rawOrigin } from '../../support/raw-origin.ts';
import { HAS, squid } from '../../support/real-proxies.ts';

const HEIMDAL = 'libgssapi.so.3';
const HAS_HEIMDAL = hasProgram('sh', '-c', `ldconfig -p | grep -q ${HEIMDAL}`);

describe.skipIf(!HAS.squid || !HAS_KERBEROS)('Negotiate, by a ticket of a real KDC', () => {
  it('authenticates tunnels and plain requests without a password; without a ticket the next scheme does', async () => {
    const realm = await kerberosRealm();
    enterRealm(realm);
    realm.login();
    const login = 'ann:s3cret';
    const keytab = [realm.keytab, realm.service] as const;
    const port = await squid({ keytab, scheme: 'basic', login, env: realm.env });
    const origin = await httpsOrigin();
    const plain = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain'));
    const settings = {
      keepAlive: false,
      upstreamCaFiles: [origin.caPath],
      upstreamProxy: { enabled: true, url: `http://localhost:${port}` },
    };
    const engine = await testEngine(settings);
    for (let each = 0; each < 2; each += 1) expect((await curl(engine, origin.url)).stdout).toBe('hello');
    expect((await curl(engine, '-d', 'x', `http://127.0.0.1:${plain.port}/`)).stdout).toBe('plain');
    expect(plain.received()).not.toContain('Negotiate');
    realm.logout();
    const second = await testEngine(settings);
    await curl(second, origin.url);
    expect((await second.seen.ended1()).failure?.code).toBe('proxy.authentication-required');
    second.apply({ proxyLogin: { user: 'ann', password: 's3cret' } });
    expect((await curl(second, origin.url)).stdout).toBe('hello');
    expect(JSON.stringify(second.seen.all)).not.toContain('s3cret');
  });

  // Apple's GSS framework derives from Heimdal, and has the same interface.
  it.skipIf(!HAS_HEIMDAL)("gets the ticket from Heimdal's library too", async () => {
    const realm = await kerberosRealm();
    enterRealm(realm);
    const port = await squid({ keytab: [realm.keytab, realm.service], scheme: 'basic', login: 'x:y', env: realm.env });
    const plain = await rawOrigin((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nplain'));
    const heimdal = ticketsBy(['no-such-library.so', HEIMDAL]);
    expect(await heimdal('localhost')).toBeNull();
    realm.login();
    const field = `Proxy-Authorization: Negotiate ${await heimdal('localhost')}`;
    const ask = ['-sS', '-x', `http://localhost:${port}`, '--noproxy', '', `http://127.0.0.1:${plain.port}/`];
    expect((await promisify(execFile)('curl', ['-H', field, ...ask])).stdout).toBe('plain');
    expect(await heimdal('other.test')).toBeNull();
    expect(await ticketsBy(['no-such-library.so'])('localhost')).toBeNull();
  });
});

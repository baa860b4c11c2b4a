import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { enterRealm, HAS_KERBEROS, kerberosRealm } from '../../support/kerberos.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { HAS, microsocks, type SquidScheme, squid } from '../../support/real-proxies.ts';

const LOGIN = 'ann:s3cret';

interface Shim {
  port: number;
  /** For each connection: how often our bytes came after the proxy's, or first: our flights before TLS began. */
  flights: number[];
}

/** A relay before a proxy that counts round trips, not time, until our side of the tunnel begins TLS. */
async function countFlights(target: number): Promise<Shim> {
  const flights: number[] = [];
  const server = net.createServer((client) => {
    const upstream = net.connect(target, '127.0.0.1');
    const place = flights.push(0) - 1;
    let answered = true;
    let inside = false;
    client.on('data', (chunk) => {
      // A TLS record of a handshake: content type 22, version 3.
      inside ||= chunk[0] === 22 && chunk[1] === 3;
      if (!inside && answered) flights[place] = (flights[place] ?? 0) + 1;
      answered = false;
    });
    upstream.on('data', () => {
      answered = true;
    });
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => socket.destroy());
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  const port = await listenInTest(server);
  return { port, flights };
}

/** Three connections through it, one after the other. */
async function flightsOfThree(address: string, proxyPort: number): Promise<number[]> {
  const shim = await countFlights(proxyPort);
  const origin = await httpsOrigin((_request, response) => response.end('hello'));
  const engine = await testEngine({
    keepAlive: false,
    upstreamCaFiles: [origin.caPath],
    upstreamProxy: { enabled: true, url: address.replace('PORT', String(shim.port)) },
  });
  for (let each = 0; each < 3; each += 1) expect((await curl(engine, origin.url)).stdout).toBe('hello');
  return shim.flights.filter((count) => count > 0);
}

describe('round trips that a proxy costs before TLS', () => {
  // The first connection has no login and learns the scheme; each later one needs what its protocol requires.
  it.skipIf(!HAS.squid).each<[SquidScheme, number[]]>([
    ['none', [1, 1, 1]],
    ['basic', [2, 1, 1]],
    ['digest', [2, 1, 1]],
    // Its three messages are two round trips, for any client.
    ['ntlm', [3, 2, 2]],
  ])('%s', async (scheme, expected) => {
    const flights = await flightsOfThree(`http://${LOGIN}@127.0.0.1:PORT`, await squid({ scheme, login: LOGIN }));
    const total = (all: number[]): number => all.reduce((sum, each) => sum + each, 0);
    // If the proxy closes with its challenge, the second request of the first connection goes over a new one.
    expect(total(flights)).toBe(total(expected));
    expect(flights.slice(-2)).toEqual(expected.slice(-2));
  });

  it.skipIf(!HAS.squid || !HAS_KERBEROS)('negotiate: the ticket goes with the request', async () => {
    const realm = await kerberosRealm();
    enterRealm(realm);
    realm.login();
    const port = await squid({ keytab: [realm.keytab, realm.service], scheme: 'basic', login: 'x:y', env: realm.env });
    expect((await flightsOfThree('http://localhost:PORT', port)).slice(-2)).toEqual([1, 1]);
  });

  it.skipIf(!HAS.microsocks)('socks5h: greeting and request, with a login one more', async () => {
    expect(await flightsOfThree('socks5h://127.0.0.1:PORT', await microsocks(null))).toEqual([2, 2, 2]);
    expect(await flightsOfThree(`socks5h://${LOGIN}@127.0.0.1:PORT`, await microsocks(LOGIN))).toEqual([3, 3, 3]);
  });
});

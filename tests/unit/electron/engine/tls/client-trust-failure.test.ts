import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { clientRejection, clientTlsFailure } from '../../../../../electron/engine/tls/client-trust-failure.ts';
import { LeafCertificates } from '../../../../../electron/engine/tls/leaf-certificates.ts';
import type { Failure } from '../../../../../shared/model/failure.ts';
import { hasProgram } from '../../../../support/has-program.ts';
import { listenInTest } from '../../../../support/listen-in-test.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { testCa } from '../../../../support/test-ca.ts';

let leaves: LeafCertificates;

beforeAll(async () => {
  const made = await testCa();
  leaves = new LeafCertificates({ ...made.ca, folder: null });
  return made.remove;
});

/** What the engine would record of one client that connects to the port. */
async function verdictOn(client: (port: number) => void, options: tls.TLSSocketOptions = {}): Promise<Failure | null> {
  const server = net.createServer();
  client(await listenInTest(server));
  const [socket] = (await once(server, 'connection')) as [net.Socket];
  const secured = new tls.TLSSocket(socket, {
    isServer: true,
    secureContext: leaves.contextFor('localhost'),
    ...options,
  });
  let secure = false;
  let seen: unknown = null;
  secured.on('secure', () => {
    secure = true;
  });
  secured.on('error', (error: Error) => {
    seen = error;
  });
  secured.resume();
  // Not once(): the error is what is looked at, and it comes before the close.
  await new Promise<void>((resolve) => secured.once('close', () => resolve()));
  return secure ? clientRejection(seen, 'localhost') : clientTlsFailure(seen, 'localhost');
}

function run(command: string, ...parameters: string[]): (port: number) => void {
  return (port) => {
    const child = spawn(
      command,
      parameters.map((one) => one.replace('PORT', String(port))),
      { stdio: 'ignore' },
    );
    onTestFinished(() => void child.kill());
  };
}

const JAVA = `public class Client { public static void main(String[] a) throws Exception {
  new java.net.URL("https://localhost:" + a[0] + "/").openStream(); } }`;

const PYTHON = "import urllib.request; urllib.request.urlopen('https://localhost:PORT/')";

describe('a client that does not trust the CA', () => {
  const clients: [name: string, command: string, ...parameters: string[]][] = [
    ['curl', 'curl', '-s', 'https://localhost:PORT/'],
    ['curl, TLS 1.2', 'curl', '-s', '--tls-max', '1.2', 'https://localhost:PORT/'],
    ['openssl', 'openssl', 's_client', '-connect', 'localhost:PORT', '-verify_return_error'],
    ['Python', 'python3', '-c', PYTHON],
  ];
  for (const [name, command, ...parameters] of clients) {
    it.skipIf(!hasProgram(command, command === 'openssl' ? 'version' : '--version'))(
      `${name}: by its alert`,
      async () => {
        const verdict = await verdictOn(run(command, ...parameters));
        expect(verdict).toMatchObject({ code: 'tls.client-rejected-certificate', side: 'client' });
      },
    );
  }

  it.skipIf(!hasProgram('java', '-version'))('Java is understood by its alert', async () => {
    const source = path.join(temporaryFolder(), 'Client.java');
    fs.writeFileSync(source, JAVA);
    expect(await verdictOn(run('java', source, 'PORT'))).toMatchObject({ code: 'tls.client-rejected-certificate' });
  });

  it('Node sends no alert: it verifies after its own handshake, and closes', async () => {
    const refuse = (port: number) => {
      tls.connect({ port, host: '127.0.0.1', servername: 'localhost' }).on('error', () => undefined);
    };
    expect(await verdictOn(refuse)).toMatchObject({ code: 'tls.client-closed', side: 'client' });
  });
});

describe('clientTlsFailure', () => {
  it.each([
    ['no shared cipher', ['-tls1_2', '-cipher', 'ECDHE-RSA-AES128-GCM-SHA256'], /no cipher suite/],
    ['an old version', ['-tls1_1', '-cipher', 'ALL:@SECLEVEL=0'], /TLS 1\.2 or later/],
  ])('names %s', async (_, flags, sentence) => {
    const verdict = await verdictOn(run('openssl', 's_client', '-connect', 'localhost:PORT', ...flags));
    expect(verdict).toMatchObject({ code: 'tls.client-handshake', message: expect.stringMatching(sentence) });
  });

  it('names plain HTTP', async () => {
    const verdict = await verdictOn((port) => net.connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    expect(verdict).toMatchObject({ code: 'tls.client-handshake', message: expect.stringMatching(/plain HTTP/) });
  });

  it('names a protocol other than TLS', async () => {
    const verdict = await verdictOn((port) => net.connect(port, '127.0.0.1').end(Buffer.alloc(64, 0x51)));
    expect(verdict).toMatchObject({ code: 'tls.client-handshake', message: expect.stringMatching(/other than TLS/) });
  });

  it('reports that the client closed, if it closed or reset before sending anything', async () => {
    const closed = await verdictOn((port) => net.connect(port, '127.0.0.1').end());
    expect(closed?.code).toBe('tls.client-closed');
    const reset = await verdictOn((port) => {
      const socket = net.connect(port, '127.0.0.1', () => socket.resetAndDestroy());
    });
    expect(reset?.code).toBe('tls.client-closed');
  });

  // The same alerts in BoringSSL's words, as Electron reports them.
  it.each([
    ['error:10000418:SSL routines:OPENSSL_internal:TLSV1_ALERT_UNKNOWN_CA', 'tls.client-rejected-certificate'],
    ['error:10000416:SSL routines:OPENSSL_internal:SSLV3_ALERT_CERTIFICATE_UNKNOWN', 'tls.client-rejected-certificate'],
    ['error:10000412:SSL routines:OPENSSL_internal:SSLV3_ALERT_BAD_CERTIFICATE', 'tls.client-rejected-certificate'],
    ['error:100000b8:SSL routines:OPENSSL_internal:NO_SHARED_CIPHER', 'tls.client-handshake'],
    ['error:100000f0:SSL routines:OPENSSL_internal:UNSUPPORTED_PROTOCOL', 'tls.client-handshake'],
    ['error:1000009c:SSL routines:OPENSSL_internal:HTTP_REQUEST', 'tls.client-handshake'],
  ])('reads %s', (message, code) => {
    expect(clientTlsFailure(new Error(message), 'a.test').code).toBe(code);
  });
});

describe('clientRejection', () => {
  it('is silent about an ordinary reset', () => {
    expect(clientRejection(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }), 'a.test')).toBeNull();
    expect(clientRejection(null, 'a.test')).toBeNull();
  });
});

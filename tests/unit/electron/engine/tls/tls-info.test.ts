import { once } from 'node:events';
import tls from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority } from '../../../../../electron/engine/ca/certificate-authority.ts';
import { LeafCertificates } from '../../../../../electron/engine/tls/leaf-certificates.ts';
import { tlsInfoOf } from '../../../../../electron/engine/tls/tls-info.ts';
import type { TlsInfo } from '../../../../../shared/model/tls-info.ts';
import { listenInTest } from '../../../../support/listen-in-test.ts';
import { testCa } from '../../../../support/test-ca.ts';

describe('tlsInfoOf', () => {
  let ca: CertificateAuthority;
  let leaves: LeafCertificates;
  beforeAll(async () => {
    const made = await testCa();
    ca = made.ca;
    leaves = new LeafCertificates({ ...ca, folder: null });
    return made.remove;
  });

  async function serve(): Promise<number> {
    const context = leaves.contextFor('a.test');
    const server = tls.createServer(
      { SNICallback: (_, done) => done(null, context), ALPNProtocols: ['h2'] },
      (socket) => socket.end('x'),
    );
    return await listenInTest(server);
  }

  async function connect(options: tls.ConnectionOptions): Promise<{ infos: TlsInfo[]; session: Buffer }> {
    const socket = tls.connect({ host: '127.0.0.1', ca: ca.certificatePem, servername: 'a.test', ...options });
    let session = Buffer.alloc(0);
    socket.on('session', (ticket: Buffer) => {
      session = Buffer.from(ticket);
    });
    await once(socket, 'secureConnect');
    const infos = [tlsInfoOf(socket, 'a.test', true), tlsInfoOf(socket, 'a.test', true)];
    socket.resume();
    await once(socket, 'close');
    return { infos, session };
  }

  it.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'describes what a %s handshake negotiated, full and resumed',
    async (version) => {
      const port = await serve();
      const options = { port, minVersion: version, maxVersion: version, ALPNProtocols: ['h2', 'http/1.1'] };
      const first = await connect(options);
      expect(first.infos[0]).toMatchObject({ version, alpn: 'h2', serverName: 'a.test', resumed: false });
      expect(first.infos[0]?.cipher).toMatch(/^TLS_/);
      expect(first.infos[0]?.certificate).toMatchObject({ subject: 'CN=a.test', altNames: ['DNS:a.test'] });
      expect(first.infos[1]).toEqual(first.infos[0]);
      const second = await connect({ ...options, session: first.session });
      expect(second.infos[0]).toEqual({ ...first.infos[0], resumed: true });
    },
  );

  it('leaves out our own certificate, and has no ALPN if none was offered', async () => {
    const socket = tls.connect({ port: await serve(), host: '127.0.0.1', ca: ca.certificatePem, servername: 'a.test' });
    await once(socket, 'secureConnect');
    expect(tlsInfoOf(socket, null, false)).toMatchObject({ alpn: null, serverName: null, certificate: null });
    socket.destroy();
    expect(tlsInfoOf(socket, null, true)).toMatchObject({ version: '', certificate: null });
  });
});

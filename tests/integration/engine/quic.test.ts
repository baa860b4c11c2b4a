import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LeafCertificates } from '../../../electron/engine/tls/leaf-certificates.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../../support/chromium.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testCa } from '../../support/test-ca.ts';

// Why the capture check has no "QUIC" obstacle: a browser with a proxy does not use QUIC, even if it is forced on. One
// that does has no proxy, and the check reports no traffic.

const EXECUTABLE = chromiumPath();

/** Listens on a free TCP port and the same UDP port; if that is in use, on another pair. */
async function listenOnBoth(server: tls.Server): Promise<dgram.Socket> {
  for (;;) {
    server.listen(0, '::');
    await once(server, 'listening');
    const udp = dgram.createSocket('udp6');
    udp.bind((server.address() as AddressInfo).port, '::');
    try {
      await once(udp, 'listening');
      return udp;
    } catch {
      udp.close();
      await new Promise((resolve) => server.close(resolve));
    }
  }
}

/**
 * An origin that offers HTTP/3 on the UDP port with the number of its TCP port, where nothing responds. Its page
 * requests it repeatedly.
 */
async function origin() {
  const { ca, remove } = await testCa();
  const leaves = new LeafCertificates({ ...ca, folder: null });
  let asked = 0;
  const page = http.createServer((_request, response) => {
    asked += 1;
    page.emit('asked', asked);
    // Not read from the socket: a browser that is ending may still have a request in progress when it is closed.
    response.setHeader('alt-svc', `h3=":${port}"; ma=3600`);
    response.setHeader('content-type', 'text/html');
    // The choice is made again for each connection.
    response.setHeader('connection', 'close');
    response.end(
      '<!doctype html><script>(async () => { for (;;) await fetch("/again").catch(() => null); })()</script>',
    );
  });
  const server = tls.createServer(
    { SNICallback: (name, done) => done(null, leaves.contextFor(name)) },
    (socket) => void page.emit('connection', socket),
  );
  const udp = await listenOnBoth(server.on('tlsClientError', () => undefined));
  const { port } = udp.address();
  onTestFinished(() => {
    udp.close();
    server.close();
    remove();
  });
  const answered = (times: number): Promise<void> =>
    new Promise((resolve) => page.on('asked', (count) => count >= times && resolve()));
  return { ca, udp, port, answered };
}

async function tunnelingProxy(): Promise<string> {
  const proxy = http.createServer();
  proxy.on('connect', ({ url = '' }, socket: net.Socket) => {
    const upstream = net.connect(Number(url.split(':').at(-1)), 'localhost');
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    socket.on('error', () => upstream.destroy()).pipe(upstream);
    upstream.on('error', () => socket.destroy()).pipe(socket);
  });
  const port = await listenInTest(proxy);
  return `http://127.0.0.1:${port}`;
}

function browse({ ca, port }: Awaited<ReturnType<typeof origin>>, ...flags: string[]): void {
  const own = [`--user-data-dir=${temporaryFolder()}`, `--ignore-certificate-errors-spki-list=${ca.spkiHash}`];
  const url = `https://localhost:${port}/`;
  const usual = CHROMIUM_FLAGS.filter((flag) => flag !== '--disable-quic');
  const args = ['--headless=new', ...usual, ...own, ...flags, url];
  const child = spawn(EXECUTABLE ?? '', args, { stdio: 'ignore' });
  onTestFinished(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  });
}

describe.skipIf(EXECUTABLE === null)('a browser that is offered HTTP/3', () => {
  it('uses it without a proxy', async () => {
    const site = await origin();
    browse(site);
    await once(site.udp, 'message');
  });

  it.each([
    ['offered', () => []],
    ['forced on it', (port: number) => [`--origin-to-force-quic-on=localhost:${port}`]],
  ])(
    'does not use it with a proxy, %s',
    async (_, flags) => {
      const site = await origin();
      let packets = 0;
      site.udp.on('message', () => {
        packets += 1;
      });
      const proxy = [`--proxy-server=${await tunnelingProxy()}`, '--proxy-bypass-list=<-loopback>'];
      browse(site, ...proxy, ...flags(site.port));
      await site.answered(30);
      expect(packets).toBe(0);
    },
    60_000,
  );
});

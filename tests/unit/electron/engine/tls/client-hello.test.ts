import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import tls from 'node:tls';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  CLIENT_HELLO_LIMIT,
  type ClientHello,
  readClientHello,
} from '../../../../../electron/engine/tls/client-hello.ts';

/** The first bytes that a client sends to a server which says nothing. */
async function firstBytes(connect: (port: number) => () => void): Promise<Buffer> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = connect((server.address() as AddressInfo).port);
  const [socket] = (await once(server, 'connection')) as [net.Socket];
  let bytes = Buffer.alloc(0);
  while (readClientHello(bytes).state === 'incomplete') {
    const [piece] = (await once(socket, 'data')) as [Buffer];
    bytes = Buffer.concat([bytes, piece]);
  }
  socket.destroy();
  server.close();
  stop();
  return bytes;
}

function nodeHello(options: tls.ConnectionOptions): Promise<Buffer> {
  return firstBytes((port) => {
    const socket = tls.connect({ host: '127.0.0.1', port, ...options });
    socket.on('error', () => socket.destroy());
    return () => socket.destroy();
  });
}

function opensslHello(...options: string[]): Promise<Buffer> {
  return firstBytes((port) => {
    const child = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, ...options], { stdio: 'ignore' });
    return () => void child.kill();
  });
}

function helloOf(bytes: Buffer): ClientHello {
  const reading = readClientHello(bytes);
  if (reading.state !== 'read') throw new Error(`not read: ${JSON.stringify(reading)}`);
  return reading.hello;
}

/** The same message in records of `size` bytes. */
function inRecordsOf(size: number, bytes: Buffer): Buffer {
  const message = bytes.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += size) {
    const piece = message.subarray(at, at + size);
    const header = Buffer.of(22, 3, 1, piece.length >> 8, piece.length & 0xff);
    records.push(header, piece);
  }
  return Buffer.concat(records);
}

const u8 = (bytes: Buffer) => Buffer.concat([Buffer.of(bytes.length), bytes]);
const u16 = (bytes: Buffer) => Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 0xff), bytes]);

/** A hand-made hello, for content that no installed client sends. */
function madeHello(extensions: [type: number, body: Buffer][], ciphers = Buffer.of(0x13, 0x01)): Buffer {
  const list = extensions.map(([type, body]) => Buffer.concat([Buffer.of(type >> 8, type & 0xff), u16(body)]));
  const body = Buffer.concat([
    Buffer.of(3, 3),
    Buffer.alloc(32),
    u8(Buffer.alloc(0)),
    u16(ciphers),
    u8(Buffer.of(0)),
    u16(Buffer.concat(list)),
  ]);
  const message = Buffer.concat([Buffer.of(1, 0, body.length >> 8, body.length & 0xff), body]);
  return Buffer.concat([Buffer.of(22, 3, 1), u16(message)]);
}

describe('readClientHello', () => {
  let real: Buffer;
  beforeAll(async () => {
    real = await nodeHello({ servername: 'a.test', ALPNProtocols: ['h2', 'http/1.1'] });
  });

  it("reads Node's", () => {
    const hello = helloOf(real);
    expect(hello.serverName).toBe('a.test');
    expect(hello.alpn).toEqual(['h2', 'http/1.1']);
    expect(hello.versions).toEqual(['TLSv1.3', 'TLSv1.2']);
    expect(hello.cipherSuites).toContain(0x1301);
  });

  it('reads one without names, of TLS 1.2 only', async () => {
    const hello = helloOf(await nodeHello({ maxVersion: 'TLSv1.2' }));
    expect(hello).toMatchObject({ serverName: null, alpn: [], versions: ['TLSv1.2'] });
  });

  it("reads OpenSSL's", async () => {
    const hello = helloOf(await opensslHello('-servername', 'b.test', '-alpn', 'http/1.1', '-tls1_3'));
    expect(hello).toMatchObject({ serverName: 'b.test', alpn: ['http/1.1'], versions: ['TLSv1.3'] });
  });

  it('is incomplete at every byte but the last, and says the same for any bytes after it', () => {
    for (let length = 0; length < real.length; length++) {
      expect(readClientHello(real.subarray(0, length)), `${length} bytes`).toEqual({ state: 'incomplete' });
    }
    expect(helloOf(Buffer.concat([real, Buffer.from('more')]))).toEqual(helloOf(real));
  });

  it.each([1, 3, 100])('joins a message in records of %i bytes, and waits for all of them', (size) => {
    const split = inRecordsOf(size, real);
    expect(helloOf(split)).toEqual(helloOf(real));
    expect(readClientHello(split.subarray(0, -1))).toEqual({ state: 'incomplete' });
  });

  it('leaves GREASE out of versions, suites and ALPN', () => {
    const hello = helloOf(
      madeHello(
        [
          [0x1a1a, Buffer.of(0)],
          [43, u8(Buffer.of(0x2a, 0x2a, 3, 4, 3, 3))],
          [16, u16(Buffer.concat([u8(Buffer.of(0x4a, 0x4a)), u8(Buffer.from('h2'))]))],
        ],
        Buffer.of(0x0a, 0x0a, 0x13, 0x01),
      ),
    );
    expect(hello).toEqual({ serverName: null, alpn: ['h2'], versions: ['TLSv1.3', 'TLSv1.2'], cipherSuites: [0x1301] });
  });

  it('ignores a server name that is not printable', () => {
    const name = Buffer.concat([Buffer.of(0), u16(Buffer.from('a\r\n.test'))]);
    expect(helloOf(madeHello([[0, u16(name)]])).serverName).toBeNull();
  });

  it.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n')],
    ['SSH', Buffer.from('SSH-2.0-x\r\n')],
    ['one wrong byte', Buffer.of(0x80)],
    ['SSLv2', Buffer.of(0x80, 0x2e, 1, 0, 2)],
    ['an alert record', Buffer.of(21, 3, 1, 0, 2, 1, 0)],
    ['an empty record', Buffer.of(22, 3, 1, 0, 0)],
    ['a record over the limit', Buffer.of(22, 3, 1, 0xff, 0xff)],
    ['another handshake message', Buffer.of(22, 3, 1, 0, 4, 2, 0, 0, 0)],
    ['a hello over the limit', Buffer.of(22, 3, 1, 0, 4, 1, 0xff, 0, 0)],
    ['a hello of nothing', Buffer.of(22, 3, 1, 0, 4, 1, 0, 0, 0)],
    ['an extension past the end', madeHello([[0, Buffer.of(0xff, 0xff, 0)]])],
  ])('says that %s is not TLS', (_, bytes) => {
    expect(readClientHello(bytes).state).toBe('not-tls');
  });

  it('never throws and never waits beyond the cap if any byte of a real hello is changed', () => {
    for (let at = 0; at < real.length; at++) {
      for (const value of [0x00, 0x7f, 0xff]) {
        const changed = Buffer.from(real);
        changed[at] = value;
        const reading = readClientHello(Buffer.concat([changed, Buffer.alloc(CLIENT_HELLO_LIMIT * 2, 22)]));
        expect(['read', 'not-tls']).toContain(reading.state);
      }
    }
  });
});

import { once } from 'node:events';
import http2 from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { expect, it, onTestFinished } from 'vitest';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { FRAME, frame } from '../../support/http2-frames.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';
import { openSecureTunnel } from '../../support/tunnel.ts';

/** SETTINGS with ENABLE_CONNECT_PROTOCOL (RFC 8441, section 3). */
const TAKES_IT = frame(FRAME.settings, 0, 0, Buffer.from([0, 8, 0, 0, 0, 1]));

const PREFACE_SIZE = 24;

/** The types of the frames after a client's preface. */
function frameTypes(received: string): number[] {
  const bytes = Buffer.from(received, 'latin1');
  const types: number[] = [];
  for (let at = PREFACE_SIZE; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3))
    types.push(bytes[at + 3] ?? -1);
  return types;
}

interface SlowOrigin {
  through: TestEngine;
  port: number;
  /** Everything that the origin received. */
  received(): string;
  /** Sends the origin's SETTINGS. */
  settle(bytes: Buffer): Promise<void>;
  /** Closes the origin's connections. */
  leave(): Promise<void>;
}

/** An origin that sends its SETTINGS on demand. */
async function slowOrigin(): Promise<SlowOrigin> {
  const sockets = new Set<TLSSocket>();
  const origin = await secureRawOrigin((socket) => void sockets.add(socket), 'h2');
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const all = async (work: (socket: TLSSocket) => void) => {
    await origin.receives('PRI * HTTP/2.0');
    sockets.forEach(work);
  };
  return {
    ...{ through, port: origin.port, received: origin.received },
    settle: (bytes) => all((socket) => void socket.write(bytes)),
    leave: () => all((socket) => void socket.destroy()),
  };
}

async function session({ through, port }: SlowOrigin): Promise<http2.ClientHttp2Session> {
  const secure = await openSecureTunnel(through, port, ['h2']);
  const client = http2.connect('https://localhost', { createConnection: () => secure });
  client.on('error', () => {});
  onTestFinished(() => client.destroy());
  return client;
}

async function firstSettings(client: http2.ClientHttp2Session): Promise<http2.Settings> {
  const [settings] = (await once(client, 'remoteSettings')) as [http2.Settings];
  return settings;
}

it('the first connection to an origin announces extended CONNECT in its first SETTINGS', async () => {
  const origin = await slowOrigin();
  const client = await session(origin);
  const settings = firstSettings(client);
  // Its request does not wait: the origin has it before it sends anything.
  client.request({ ':path': '/' }).on('error', () => {});
  await expect.poll(() => frameTypes(origin.received())).toContain(FRAME.headers);
  await origin.settle(TAKES_IT);
  expect(await settings).toMatchObject({ enableConnectProtocol: true });
});

it('the second connection announces it too', async () => {
  const origin = await slowOrigin();
  const first = await session(origin);
  const settings = firstSettings(first);
  await origin.settle(TAKES_IT);
  await settings;
  expect(await firstSettings(await session(origin))).toMatchObject({ enableConnectProtocol: true });
});

it('an origin without it gets no offer forwarded', async () => {
  const origin = await slowOrigin();
  const settings = firstSettings(await session(origin));
  await origin.settle(frame(FRAME.settings, 0, 0));
  expect(await settings).toMatchObject({ enableConnectProtocol: false });
});

it('an origin that closes without SETTINGS causes no delay', async () => {
  const origin = await slowOrigin();
  const settings = firstSettings(await session(origin));
  await origin.leave();
  expect(await settings).toMatchObject({ enableConnectProtocol: false });
});

it('an origin that never sends SETTINGS causes no delay', async () => {
  expect(await firstSettings(await session(await slowOrigin()))).toMatchObject({ enableConnectProtocol: false });
});

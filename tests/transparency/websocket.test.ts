import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { startTestEngine, type TestEngine } from '../support/engine.ts';

interface WebSocketCase {
  name: string;
  /** What the client does; the server echoes messages, and its own pings come back as pongs. */
  send: ((client: WebSocket) => void)[];
  /** Messages and pongs that come back before the client closes. */
  replies: number;
  close?: [code: number | undefined, reason: string];
  serverCloses?: [code: number, reason: string];
  deflate: WebSocket.PerMessageDeflateOptions | false;
}

const SIZES = [0, 1, 124, 125, 126, 127, 128, 1000, 65_535, 65_536, 65_537, 131_072, 1_000_000];
const DEFLATE: [name: string, options: WebSocketCase['deflate']][] = [
  ['plain', false],
  ['compressed', { threshold: 0 }],
  ['compressed, no takeover', { threshold: 0, clientNoContextTakeover: true, serverNoContextTakeover: true }],
  ['compressed, small window', { threshold: 0, clientMaxWindowBits: 9, serverMaxWindowBits: 9 }],
];

const sized = DEFLATE.flatMap(([how, deflate]) =>
  SIZES.flatMap((size): WebSocketCase[] => [
    { name: `${how}: text of ${size}`, send: [(client) => client.send('x'.repeat(size))], replies: 1, deflate },
    {
      name: `${how}: binary of ${size}`,
      send: [(client) => client.send(Buffer.alloc(size, 'bytes'))],
      replies: 1,
      deflate,
    },
  ]),
);

const fragmented = DEFLATE.flatMap(([how, deflate]) =>
  [1, 2, 10, 30].map(
    (count): WebSocketCase => ({
      name: `${how}: ${count} fragments with pings between`,
      send: [
        (client) => {
          for (let index = 0; index < count; index += 1) {
            client.send(`part ${index} `, { fin: index === count - 1 });
            client.ping(`ping ${index}`);
          }
        },
      ],
      replies: count + 1,
      deflate,
    }),
  ),
);

const pings = [0, 1, 125].map(
  (size): WebSocketCase => ({
    name: `ping of ${size}`,
    send: [(client) => client.ping(Buffer.alloc(size, 'p'))],
    replies: 1,
    deflate: false,
  }),
);

const burst = DEFLATE.map(
  ([how, deflate]): WebSocketCase => ({
    name: `${how}: 2,000 messages at once`,
    send: Array.from({ length: 2000 }, (_, index) => (client: WebSocket) => client.send(`message ${index}`)),
    replies: 2000,
    deflate,
  }),
);

const CODES = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999];
const closes = CODES.flatMap((code): WebSocketCase[] => [
  { name: `the client closes with ${code}`, send: [], replies: 0, deflate: false, close: [code, `why \u00e9 ${code}`] },
  {
    name: `the server closes with ${code}`,
    send: [],
    replies: 0,
    deflate: false,
    serverCloses: [code, 'r'.repeat(100)],
  },
]);
const CASES = [
  ...sized,
  ...fragmented,
  ...pings,
  ...burst,
  ...closes,
  { name: 'closed without a code', send: [], replies: 0, deflate: false as const },
];

/** A WebSocket's client and server, direct and through Roundtrip: what each of them saw. */
describe('WebSocket', () => {
  let engine: TestEngine;
  beforeAll(async () => {
    engine = await startTestEngine();
  });
  afterAll(() => engine.engine.close({ graceMs: 0 }));

  it.concurrent.each(CASES)('$name', async (wire) => {
    expect(await run(wire, engine.port)).toEqual(await run(wire, null));
  });
});

async function connect(port: number, through: number | null): Promise<net.Socket> {
  const socket = net.connect({ port: through ?? port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  if (through === null) return socket;
  socket.write(`CONNECT localhost:${port} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  await once(socket, 'readable');
  socket.read();
  return socket;
}

function watch(socket: WebSocket, seen: string[]): void {
  const note = (what: string, data: WebSocket.RawData): void => {
    const bytes = Buffer.from(data as Buffer);
    seen.push(`${what} ${bytes.length} ${bytes.toString('latin1', 0, 40)}`);
  };
  socket.on('message', (data, isBinary) => note(isBinary ? 'binary' : 'text', data));
  socket.on('ping', (data) => note('ping', data));
  socket.on('pong', (data) => note('pong', data));
  socket.on('close', (code, reason) => seen.push(`close ${code} ${reason}`));
  socket.on('error', (error) => seen.push(`error ${error.message}`));
}

async function run(wire: WebSocketCase, through: number | null): Promise<object> {
  const seen = { client: [] as string[], server: [] as string[], extensions: '', masked: 0 };
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: wire.deflate ?? false });
  await once(server, 'listening');
  const over = new Promise<void>((resolve) => {
    server.on('connection', (socket, request) => {
      watch(socket, seen.server);
      seen.extensions = request.headers['sec-websocket-extensions'] ?? '';
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
      socket.on('close', () => resolve());
      if (wire.serverCloses) socket.close(...wire.serverCloses);
    });
  });
  const { port } = server.address() as AddressInfo;
  const socket = await connect(port, through);
  const client = new WebSocket(`ws://localhost:${port}/`, {
    createConnection: () => socket,
    perMessageDeflate: wire.deflate ?? false,
  });
  watch(client, seen.client);
  await once(client, 'open');
  for (const send of wire.send) send(client);
  const closed = once(client, 'close');
  const replies = (): number => seen.client.filter((line) => !line.startsWith('close')).length;
  while (replies() < wire.replies) await new Promise((resolve) => setTimeout(resolve, 1));
  if (!wire.serverCloses) client.close(...(wire.close ?? [undefined, '']));
  await Promise.all([closed, over]);
  server.close();
  return seen;
}

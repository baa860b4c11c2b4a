import { once } from 'node:events';
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import { openCertificateAuthority } from '../../../electron/engine/ca/certificate-authority.ts';
import { Engine } from '../../../electron/engine/engine.ts';
import type { Recorder } from '../../../electron/engine/record/recorder.ts';
import { exportHar } from '../../../electron/session/har/har-export.ts';
import { SessionReader } from '../../../electron/session/read/session-reader.ts';
import { DEFAULT_SETTINGS } from '../../../shared/model/settings.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { startRecorder } from '../../support/recording.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let engine: Engine;
let recorder: Recorder;
let reader: SessionReader;
let folder = '';

beforeEach(async () => {
  folder = temporaryFolder();
  recorder = await startRecorder(join(folder, 'a.roundtrip'));
  reader = new SessionReader(join(folder, 'a.roundtrip'));
  const { certificatePem, keyPem } = await openCertificateAuthority(inject('engineCaFolder'));
  engine = await Engine.start({
    host: '127.0.0.1',
    port: 0,
    settings: DEFAULT_SETTINGS,
    certificates: { certificatePem, keyPem, leafFolder: null },
    observer: recorder,
    refusedAuthorities: [],
  });
});

afterEach(async () => {
  await engine.close({ graceMs: 0 });
  reader.close();
  await recorder.close();
});

/** A tunnel to the port, for a client that takes a socket. */
async function tunnel(port: number): Promise<net.Socket> {
  const socket = net.connect(engine.address.port, '127.0.0.1');
  socket.write(`CONNECT localhost:${port} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
  await once(socket, 'readable');
  socket.read();
  return socket;
}

async function talk(options: { serverTakeover: boolean; clientTakeover: boolean } | false): Promise<void> {
  const server = new WebSocketServer({
    port: 0,
    perMessageDeflate: options
      ? {
          threshold: 0,
          serverNoContextTakeover: !options.serverTakeover,
          clientNoContextTakeover: !options.clientTakeover,
        }
      : false,
  });
  onTestFinished(() => void server.close());
  server.on('connection', (socket) => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  const { port } = server.address() as AddressInfo;
  const socket = await tunnel(port);
  const client = new WebSocket(`ws://localhost:${port}/chat`, {
    createConnection: () => socket,
    perMessageDeflate: options ? { threshold: 0 } : false,
  });
  await once(client, 'open');
  const echoes: unknown[] = [];
  client.on('message', (data) => echoes.push(data));
  for (let index = 0; index < 30; index += 1)
    client.send(JSON.stringify({ index, said: 'the same words again and again' }));
  client.send(Buffer.from([0, 1, 2, 255]));
  client.send('part one, ', { fin: false });
  client.ping('are you there');
  client.send('part two', { fin: true });
  while (echoes.length < 32) await once(client, 'message');
  client.close(4001, 'bye');
  await once(client, 'close');
}

async function recorded(): Promise<number> {
  for (;;) {
    await recorder.flush();
    const row = reader.page(0, 10).rows.find((each) => each.state !== 'open');
    if (row) return row.id;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const NEGOTIATED = [
  ['without compression', false],
  ['with context takeover', { serverTakeover: true, clientTakeover: true }],
  ['with takeover on the server alone', { serverTakeover: true, clientTakeover: false }],
  ['without context takeover', { serverTakeover: false, clientTakeover: false }],
] as const;

describe('a WebSocket', () => {
  it.each(NEGOTIATED)('its messages can be read, %s', async (_name, options) => {
    await talk(options);
    const id = await recorded();
    expect(reader.get(id)).toMatchObject({ kind: 'upgrade', state: 'complete' });
    const { messages, total } = reader.messages.page({ id, from: 0, limit: 500 });
    expect(total).toBe(messages.length);
    expect(messages.every((each) => each.problem === null)).toBe(true);
    for (const direction of ['sent', 'received'] as const) {
      const own = messages.filter((each) => each.direction === direction);
      const data = own.filter((each) => each.kind === 'text' || each.kind === 'binary');
      expect(data).toHaveLength(32);
      expect(data[29]?.preview).toBe('{"index":29,"said":"the same words again and again"}');
      expect(data[30]).toMatchObject({ kind: 'binary', preview: '000102ff', size: 4 });
      expect(data[31]).toMatchObject({ kind: 'text', preview: 'part one, part two', compressed: options !== false });
      expect(own.at(-1)).toMatchObject({ kind: 'close', closeCode: 4001, preview: 'bye' });
    }
    expect(messages.find((each) => each.kind === 'ping')).toMatchObject({
      direction: 'sent',
      preview: 'are you there',
    });
    expect(messages.find((each) => each.kind === 'pong')).toMatchObject({ direction: 'received' });
    if (options) expect(messages[9]?.wireSize).toBeLessThan(messages[9]?.size ?? 0);
  });

  it('one message can be read on its own, in any context, and backwards', async () => {
    await talk({ serverTakeover: true, clientTakeover: true });
    const id = await recorded();
    const all = reader.messages.page({ id, from: 0, limit: 500 }).messages;
    for (const message of [...all].reverse()) {
      if (message.kind !== 'text') continue;
      const { data, complete } = reader.messages.read({ id, ordinal: message.ordinal });
      expect(complete).toBe(true);
      expect(Buffer.from(data, 'base64').toString()).toBe(message.preview);
    }
  });

  it('the HAR has them as Chrome writes them', async () => {
    await talk({ serverTakeover: true, clientTakeover: true });
    await recorded();
    const path = join(folder, 'a.har');
    const creator = { name: 'test', version: '1' };
    await exportHar(
      reader,
      { path, query: '', window: null, redactor: null, creator },
      () => {},
      new AbortController().signal,
    );
    const { log } = JSON.parse((await import('node:fs')).readFileSync(path, 'utf8'));
    const messages = log.entries[0]._webSocketMessages;
    expect(messages).toHaveLength(64);
    expect(messages.find((each: { opcode: number }) => each.opcode === 2)).toMatchObject({ data: 'AAEC/w==' });
    expect(messages[0]).toMatchObject({ type: 'send', opcode: 1, data: expect.stringContaining('"index":0') });
    expect(messages[0].time).toBeCloseTo(Date.now() / 1000, -2);
  });
});

describe('server-sent events', () => {
  it('each is a message, with its time', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' });
      response.write('data: {"one":1}\n\n');
      response.write('event: x\ndata: 2');
      response.end('\n\n');
    });
    const port = await listenInTest(server);
    const socket = await tunnel(port);
    socket.write('GET /events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    socket.resume();
    await once(socket, 'end');
    const { messages } = reader.messages.page({ id: await recorded(), from: 0, limit: 10 });
    expect(messages.map((each) => [each.kind, each.direction, each.preview])).toEqual([
      ['event', 'received', 'data: {"one":1}\n\n'],
      ['event', 'received', 'event: x\ndata: 2\n\n'],
    ]);
  });
});

describe('a flood of tiny messages', () => {
  const COUNT = 200_000;

  it('all are listed, and other exchanges continue', async () => {
    const server = createServer((request, response) => {
      if (request.url === '/other') response.end('done');
      else {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end('d\n\n'.repeat(COUNT));
      }
    });
    const port = await listenInTest(server);
    const [stream, other] = [await tunnel(port), await tunnel(port)];
    stream.write('GET /events HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    stream.resume();
    await once(stream, 'data');
    other.write('GET /other HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [response] = await once(other, 'data');
    expect(String(response)).toContain('HTTP/1.1 200');
    if (!stream.readableEnded) await once(stream, 'end');
    const state = async () => {
      await recorder.flush();
      return reader.page(0, 10).rows.find((each) => each.path === '/events');
    };
    await expect.poll(state).toMatchObject({ state: 'complete', failureCode: null });
    const id = (await state())?.id ?? 0;
    expect(reader.messageCount(id)).toBe(COUNT);
    const [last] = reader.messageMarks(id, COUNT - 1, 10);
    expect(last).toMatchObject({ ordinal: COUNT - 1, stop: 3 * COUNT });
  });
});

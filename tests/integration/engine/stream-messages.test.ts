import { once } from 'node:events';
import type http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import type { Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import WebSocket, { WebSocketServer } from 'ws';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { EDIT_SIZE, MOST_EDITS } from '../../../shared/model/rule/message-edits.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { curl } from '../../support/curl.ts';
import { echoOrigin, STREAM_ENCODERS } from '../../support/echo-origin.ts';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { PROTOCOL_PAIRS } from '../../support/protocol-pairs.ts';
import { ruleList } from '../../support/rule-list.ts';
import { scriptHost } from '../../support/script-host.ts';

/** An engine with one rule in front of an origin that echoes, and a window that watches the queue. */
async function start(settings: Partial<Settings>, ...actions: object[]) {
  const origin = await echoOrigin();
  const waiting: (() => void)[] = [];
  const onBreaks = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  const scripts = scriptHost();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath], ...settings }, {}, { onBreaks, scripts });
  const { breaks } = through.engine;
  breaks.watched = true;
  through.engine.applyRules(ruleList({ name: 'rule', do: actions }));
  /** The first matching message of the queue, once there is one. */
  const held = async (body: string) => {
    for (;;) {
      const messages = breaks.list().map(({ id }) => breaks.get(id));
      const found = messages.find((message) => Buffer.from(message.body ?? '', 'base64').toString() === body);
      if (found) return found;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const until = async (fits: () => boolean) => {
    while (!fits()) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { ...through, origin, scripts, breaks, held, until };
}

/** Each recorded changed message: its direction, what arrived and what was sent. */
function editsOf({ messageEdits }: Exchange) {
  const text = (base64: string | null) => base64 && Buffer.from(base64, 'base64').toString();
  return (messageEdits?.kept ?? []).map(({ direction, before, after }) => [direction, text(before), text(after)]);
}

const CATS_TO_DOGS = { replaceBody: [{ find: 'cat', with: 'big dog' }] };

/** A WebSocket through the proxy to a server that echoes, both with compression. */
async function chat(port: number) {
  const server = new WebSocketServer({ port: 0, perMessageDeflate: { threshold: 0 } });
  const received: string[] = [];
  server.on('connection', (socket) => {
    socket.on('message', (data, binary) => {
      received.push(String(data));
      socket.send(data, { binary });
    });
  });
  onTestFinished(() => void server.close());
  const target = `localhost:${(server.address() as AddressInfo).port}`;
  const socket = net.connect(port, '127.0.0.1');
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  await once(socket, 'readable');
  socket.read();
  const options = { createConnection: () => socket, perMessageDeflate: { threshold: 0 } };
  const client = new WebSocket(`ws://${target}/chat`, options);
  onTestFinished(() => client.terminate());
  const echoes: string[] = [];
  const wakes: (() => void)[] = [];
  client.on('message', (data) => {
    echoes.push(String(data));
    for (const wake of wakes.splice(0)) wake();
  });
  await once(client, 'open');
  const echoed = async (count: number) => {
    while (echoes.length < count) await new Promise<void>((resolve) => wakes.push(resolve));
    return echoes;
  };
  return { client, received, echoed };
}

describe('messages of a WebSocket', () => {
  it('are changed in both directions, also in fragments and between control frames', async () => {
    const toServer = { changeRequest: CATS_TO_DOGS };
    const toClient = { changeResponse: { replaceBody: [{ find: 'dog', with: 'wolf' }] } };
    const { port, seen } = await start({}, toServer, toClient);
    const { client, received, echoed } = await chat(port);
    client.send('a cat');
    client.send('one c', { fin: false });
    client.ping('are you there');
    client.send('at', { fin: true });
    client.send(Buffer.from('cat'), { binary: true });
    client.send('x'.repeat(70_000));
    expect((await echoed(4)).map((text) => text.slice(0, 20))).toEqual([
      ...['a big wolf', 'one big wolf', 'big wolf', 'x'.repeat(20)],
    ]);
    expect(received[3]).toHaveLength(70_000);
    expect(received.slice(0, 3)).toEqual(['a big dog', 'one big dog', 'big dog']);
    client.close();
    const exchange = await seen.ended1();
    expect(exchange.rules.map(({ actions, problem }) => [...actions, problem])).toEqual([
      ['changeRequest', null],
      ['changeResponse', null],
    ]);
    const edits = editsOf(exchange);
    expect(edits.filter(([direction]) => direction === 'to-server')).toEqual([
      ['to-server', 'a cat', 'a big dog'],
      ['to-server', 'one cat', 'one big dog'],
      ['to-server', 'cat', 'big dog'],
    ]);
    expect(edits.filter(([direction]) => direction === 'to-client')).toEqual([
      ['to-client', 'a big dog', 'a big wolf'],
      ['to-client', 'one big dog', 'one big wolf'],
      ['to-client', 'big dog', 'big wolf'],
    ]);
    expect(exchange.messageEdits?.total).toBe(6);
  });

  it('pass unchanged if a change does not fit, and the row reports it', async () => {
    const { port, seen } = await start({}, { changeResponse: { mergeJson: { seen: true } } });
    const { client, echoed } = await chat(port);
    client.send('{"a":1}');
    client.send('no JSON');
    client.send('y'.repeat(1_100_000));
    const [first, second, third] = await echoed(3);
    expect([first, second, third?.length]).toEqual(['{"a":1,"seen":true}', 'no JSON', 1_100_000]);
    client.close();
    expect((await seen.ended1()).rules[0]?.problem).toContain('not JSON');
  });

  it('are changed and dropped by a script in both directions; a fault names its line, and they pass', async () => {
    const code = `let count = 0;
      function onMessage(message, request, context) {
        if (message.direction === 'to-client') { message.body = { ...message.json(), rule: context.rule }; return; }
        if (message.body === 'secret') return 'drop';
        console.log(request.url.endsWith('/chat'), message.body);
        message.body = message.body.replace('cat', 'dog');
      }`;
    const { port, seen, scripts } = await start({}, { script: { code } });
    const { client, received, echoed } = await chat(port);
    for (const text of ['{"a":"cat"}', 'secret', 'no JSON']) client.send(text);
    expect(await echoed(2)).toEqual(['{"a":"dog","rule":"rule"}', 'no JSON']);
    expect(received).toEqual(['{"a":"dog"}', 'no JSON']);
    client.close();
    const exchange = await seen.ended1();
    const { failure, state, rules } = exchange;
    expect(editsOf(exchange)).toEqual([
      ['to-server', '{"a":"cat"}', '{"a":"dog"}'],
      ['to-server', 'secret', null],
      ['to-client', '{"a":"dog"}', '{"a":"dog","rule":"rule"}'],
    ]);
    expect({ code: failure?.code, state }).toEqual({ code: 'rules.script-failed', state: 'complete' });
    expect(rules.map(({ problem }) => problem).join()).toContain('line 3: SyntaxError');
    expect(scripts.lines.slice(0, 2)).toEqual(['rule log true {"a":"cat"}', 'rule log true no JSON']);
  });

  it('are held one by one, in order: edited, dropped, and released', async () => {
    const { port, held, until, breaks, seen } = await start({}, { break: { on: 'messages' } });
    const { client, received, echoed } = await chat(port);
    for (const text of ['one', 'two', 'three']) client.send(text);
    const one = await held('one');
    expect(one).toMatchObject({ side: 'message', direction: 'to-server', headers: [] });
    expect(breaks.list()).toHaveLength(1);
    breaks.write(one.id, 0, Buffer.from('first'));
    breaks.release(one.id, { how: 'message', body: 'written' });
    breaks.release((await held('two')).id, { how: 'abort', status: null });
    const three = await held('three');
    expect(() =>
      breaks.release(three.id, { how: 'request', method: 'GET', url: '/', headers: [], body: 'kept' }),
    ).toThrow(/message of a stream/);
    breaks.release(three.id, { how: 'continue' });
    const response = await held('first');
    expect(response.direction).toBe('to-client');
    breaks.write(response.id, 0, Buffer.from('echo'));
    breaks.release(response.id, { how: 'message', body: 'written' });
    breaks.release((await held('three')).id, { how: 'continue' });
    expect(await echoed(2)).toEqual(['echo', 'three']);
    expect(received).toEqual(['first', 'three']);
    client.send('last');
    const last = await held('last');
    client.terminate();
    await until(() => breaks.list()[0]?.clientLeft === true);
    breaks.release(last.id, { how: 'continue' });
    const exchange = await seen.ended1();
    expect(exchange.kind).toBe('upgrade');
    expect(editsOf(exchange)).toEqual([
      ['to-server', 'one', 'first'],
      ['to-server', 'two', null],
      ['to-client', 'first', 'echo'],
    ]);
  });

  it('stay on record in both versions up to a number and a size; the others are counted', async () => {
    const { port, seen } = await start({}, { changeRequest: CATS_TO_DOGS });
    const { client, echoed } = await chat(port);
    client.send(`cat${'x'.repeat(EDIT_SIZE)}`);
    for (let count = 1; count < MOST_EDITS + 5; count += 1) client.send(`cat ${count}`);
    await echoed(MOST_EDITS + 5);
    client.close();
    const { messageEdits } = await seen.ended1();
    expect([messageEdits?.total, messageEdits?.kept.length]).toEqual([MOST_EDITS + 5, MOST_EDITS]);
    expect(messageEdits?.kept.map(({ cut }) => cut).filter(Boolean)).toEqual([true]);
    expect(Buffer.from(messageEdits?.kept[0]?.before ?? '', 'base64')).toHaveLength(EDIT_SIZE);
  });
});

/** A masked text frame from a client, of less than 126 bytes. */
function masked(text: string): Buffer {
  const mask = Buffer.from([1, 2, 3, 4]);
  const payload = Buffer.from(text).map((byte, index) => byte ^ (mask[index & 3] ?? 0));
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length]), mask, payload]);
}

it('messages of a WebSocket over HTTP/2 are changed in both directions (RFC 8441)', async () => {
  const asked: http2.IncomingHttpHeaders[] = [];
  const origin = await http2Origin(
    (stream, headers) => {
      asked.push(headers);
      stream.respond({ ':status': 200 });
      stream.once('data', (bytes: Buffer) => {
        const payload = bytes.subarray(6).map((byte, index) => byte ^ (bytes[2 + (index & 3)] ?? 0));
        stream.end(Buffer.concat([Buffer.from([0x81, payload.length]), payload]));
      });
    },
    { settings: { enableConnectProtocol: true } },
  );
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const toClient = { changeResponse: { replaceBody: [{ find: 'dog', with: 'wolf' }] } };
  const rules = [{ name: 'rule', do: [{ changeRequest: CATS_TO_DOGS }, toClient] }];
  through.engine.applyRules(ruleList(...rules));
  const client = await http2Client(through, origin.port);
  while (!client.remoteSettings?.enableConnectProtocol) await once(client, 'remoteSettings');
  const stream = client.request({
    ...{ ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https', ':path': '/chat' },
    ...{ ':authority': `localhost:${origin.port}`, 'sec-websocket-extensions': 'permessage-deflate' },
  });
  const response = responseOf(stream);
  stream.end(masked('a cat'));
  expect((await response).body).toBe(`\x81${String.fromCharCode(10)}a big wolf`);
  expect(asked[0]?.['sec-websocket-extensions']).toBe(undefined);
});

describe.each(PROTOCOL_PAIRS)('server-sent events, $client client, $upstream upstream', (pair) => {
  const { curl: protocol, settings, upstream } = pair;
  it('are changed one by one; comments and ids stay', async () => {
    const scene = await start(settings, { changeResponse: { mergeJson: { animal: 'dog' } } });
    const { stdout, exitCode } = await curl(scene, `https://localhost:${scene.origin.port}/events/2`, protocol);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      [1, 2]
        .map((n) => `id: ${n}\ndata: {"animal":"dog","n":${n}}\n\n: alive\n\n`)
        .join('')
        .concat('data: cat\n\n'),
    );
    const exchange = await scene.seen.ended1();
    expect(exchange.rules[0]?.problem).toContain('not JSON');
    expect(exchange.upstream?.protocol).toBe(upstream);
    expect(scene.seen.body(exchange, 'response')).toBe(stdout);
    expect(editsOf(exchange)).toEqual(
      [1, 2].map((n) => ['to-client', `{"animal":"cat","n":${n}}`, `{"animal":"dog","n":${n}}`]),
    );
  });

  it.each(['gzip', 'br'])('are changed in their coding, %s, also by a script', async (coding) => {
    const code = "function onMessage(m) { if (m.body === 'cat') return 'drop'; m.body += '!'; }";
    const scene = await start(settings, { changeResponse: CATS_TO_DOGS }, { script: { code } });
    const url = `https://localhost:${scene.origin.port}/events/2/${coding}`;
    const { stdout, exitCode } = await curl(scene, url, protocol, '--compressed');
    expect(exitCode).toBe(0);
    const event = (n: number) => `id: ${n}\ndata: {"animal":"big dog","n":${n}}!\n\n: alive\n\n`;
    expect(stdout).toBe(`${event(1)}${event(2)}data: big dog!\n\n`);
    expect((await scene.seen.ended1()).rules.map(({ problem }) => problem)).toEqual([null, null, null]);
  });

  it('pass unchanged in an unknown coding, and the row reports it', async () => {
    const scene = await start(settings, { changeResponse: CATS_TO_DOGS });
    const { stdout } = await curl(scene, `https://localhost:${scene.origin.port}/events/1/rot13`, protocol);
    expect(stdout).toContain('"animal":"cat"');
    expect((await scene.seen.ended1()).rules[0]?.problem).toContain('coding is unknown');
  });
});

describe.each(Object.keys(STREAM_ENCODERS))('a stream of events coded with %s', (coding) => {
  const DECODERS: Record<string, () => Transform> = {
    ...{ gzip: zlib.createGunzip, deflate: zlib.createInflate },
    ...{ br: zlib.createBrotliDecompress, zstd: zlib.createZstdDecompress },
  };
  /** A stream in this coding whose origin sends `send` when asked; what the client decodes, piece by piece. */
  async function eventStream() {
    const encoder = STREAM_ENCODERS[coding]?.() as Transform;
    let origin: http2.ServerHttp2Stream | undefined;
    const { port, caPath } = await http2Origin((stream) => {
      stream.respond({ ':status': 200, 'content-type': 'text/event-stream', 'content-encoding': coding });
      origin = stream;
      encoder.on('data', (bytes: Buffer) => stream.write(bytes));
      encoder.once('end', () => stream.end());
      encoder.write('data: first cat\n\n');
    });
    const through = await testEngine({ upstreamCaFiles: [caPath] });
    const rules = [{ name: 'rule', do: [{ changeResponse: CATS_TO_DOGS }] }];
    through.engine.applyRules(ruleList(...rules));
    const client = (await http2Client(through, port)).request({ ':path': '/' });
    client.on('error', () => {});
    const decoder = client.pipe(DECODERS[coding]?.() as Transform).setEncoding('utf8');
    decoder.on('error', () => {});
    return { encoder, decoder, client, seen: through.seen, origin: () => origin };
  }

  it('arrives event by event, not when it ends', async () => {
    const { encoder, decoder, seen } = await eventStream();
    expect((await once(decoder, 'data'))[0]).toBe('data: first big dog\n\n');
    encoder.write('data: second cat\n\n');
    expect((await once(decoder, 'data'))[0]).toBe('data: second big dog\n\n');
    encoder.end();
    await once(decoder, 'end');
    expect(await seen.ended1()).toMatchObject({ state: 'complete', failure: null, rules: [{ problem: null }] });
  });

  it('passes unchanged from the point where it cannot be decoded, and the row reports it', async () => {
    const { client, decoder, seen, origin } = await eventStream();
    await once(decoder, 'data');
    const broken = Buffer.alloc(64, 0xff);
    const last = new Promise<Buffer>((resolve) => client.on('data', resolve));
    origin()?.end(broken);
    expect(await last).toEqual(broken);
    expect((await seen.ended1()).rules[0]?.problem).toContain('cannot be decoded');
  });
});

describe('gRPC messages', () => {
  const message = (text: string) => `\0\0\0\0${String.fromCharCode(text.length)}${text}`;

  it('are changed in both directions, with their length', async () => {
    const toClient = { changeResponse: { replaceBody: [{ find: 'dog', with: 'wolf' }] } };
    const scene = await start({}, { changeRequest: CATS_TO_DOGS }, toClient);
    const client = await http2Client(scene, scene.origin.port);
    const stream = client.request({ ':method': 'POST', ':path': '/grpc', 'content-type': 'application/grpc' });
    const response = responseOf(stream);
    stream.write(`${message('a cat')}\0\0`);
    stream.end(`\0\0${'\x03'}cat`);
    const { body, trailers, reset } = await response;
    expect([body, reset]).toEqual([message('a big wolf') + message('big wolf'), 0]);
    expect(trailers['grpc-status']).toBe('0');
    const exchange = await scene.seen.ended1();
    expect(exchange.state).toBe('complete');
    expect(editsOf(exchange).filter(([direction]) => direction === 'to-client')).toEqual([
      ['to-client', 'a big dog', 'a big wolf'],
      ['to-client', 'big dog', 'big wolf'],
    ]);
    expect(exchange.messageEdits?.total).toBe(4);
  });

  it('are changed and dropped by a script', async () => {
    const code = `function onMessage(message) {
      if (message.body === 'no') return 'drop';
      message.body += message.direction;
    }`;
    const scene = await start({}, { script: { code } });
    const client = await http2Client(scene, scene.origin.port);
    const stream = client.request({ ':method': 'POST', ':path': '/grpc', 'content-type': 'application/grpc' });
    const response = responseOf(stream);
    stream.end(`${message('a')}${message('no')}`);
    expect((await response).body).toBe(message('ato-serverto-client'));
  });
});

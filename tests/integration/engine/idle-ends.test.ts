import { once } from 'node:events';
import net from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { httpsOrigin } from '../../support/https-origin.ts';
import { type RawOrigin, rawOrigin } from '../../support/raw-origin.ts';
import { openSecureTunnel, openTunnel } from '../../support/tunnel.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** An origin that responds, and keeps its connections open; `last`: the one it used last. */
async function keepingOrigin(): Promise<RawOrigin & { last(): net.Socket }> {
  let last: net.Socket | null = null;
  const origin = await rawOrigin((socket) => {
    last = socket;
    socket.write(OK);
  });
  return { ...origin, last: () => last as unknown as net.Socket };
}

async function get(socket: net.Socket, target = '/'): Promise<string> {
  socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const [response] = await once(socket, 'data');
  return String(response);
}

/** A client's tunnel that has carried one request. */
async function usedTunnel(through: TestEngine, port: number): Promise<net.Socket> {
  const client = await openTunnel(through, `127.0.0.1:${port}`);
  onTestFinished(() => void client.destroy());
  expect(await get(client)).toBe(OK);
  return client;
}

describe('a server that ends an idle connection ends the tunnel of its client', () => {
  it.each([
    ['closed', 'upstream', null, (socket: net.Socket): unknown => socket.end()],
    ['reset', 'upstream', 'ECONNRESET', (socket: net.Socket): unknown => socket.resetAndDestroy()],
    // Unsolicited bytes are not forwarded.
    ['fault', 'us', null, (socket: net.Socket): unknown => socket.end('HTTP/1.1 408 Request Timeout\r\n\r\n')],
  ] as const)('as the server did: %s by %s', async (why, by, code, end) => {
    const origin = await keepingOrigin();
    const through = await testEngine();
    const client = await usedTunnel(through, origin.port);
    const errors: (string | undefined)[] = [];
    client.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code));
    const closed = new Promise((resolve) => client.once('close', resolve));
    end(origin.last());
    await closed;
    expect(errors).toEqual(code === null ? [] : [code]);
    expect(await through.seen.end1('client', why)).toMatchObject({ by });
  });

  it('also with TLS, and before the first request', async () => {
    const origin = await httpsOrigin((_request, response) => response.end('ok'));
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const accepted = once(origin.server, 'secureConnection') as Promise<[net.Socket]>;
    const client = await openSecureTunnel(through, origin.port, ['http/1.1']);
    const ended = once(client, 'close');
    const [server] = await accepted;
    server.end();
    await ended;
    // Its TLS and the socket below both report the end; the last report stays.
    const last = () => through.seen.ends.findLast(({ side }) => side === 'client');
    await expect.poll(last).toMatchObject({ by: 'upstream', why: 'closed' });
  });

  it('but not while it sends a request, which uses another connection', async () => {
    const origin = await keepingOrigin();
    const through = await testEngine();
    const client = await usedTunnel(through, origin.port);
    client.write('GET /again HTTP/1.1\r\n');
    // The engine has read the half head before it reads the end of the other connection.
    await new Promise((resume) => setImmediate(resume));
    origin.last().end();
    await through.upstreamCount(0);
    client.write('Host: x\r\n\r\n');
    const [response] = await once(client, 'data');
    expect(String(response)).toBe(OK);
    expect(origin.connections()).toBe(2);
  });
});

describe('the connection of a client stays', () => {
  it('if it leads to the proxy, and to any server', async () => {
    const origin = await keepingOrigin();
    const through = await testEngine();
    const client = net.connect(through.port, '127.0.0.1');
    onTestFinished(() => void client.destroy());
    const target = `http://127.0.0.1:${origin.port}/`;
    expect(await get(client, target)).toBe(OK);
    origin.last().end();
    await through.upstreamCount(0);
    expect(await get(client, target)).toBe(OK);
    expect(origin.connections()).toBe(2);
  });

  it('if Roundtrip closed the idle connection to the server', async () => {
    const origin = await keepingOrigin();
    const through = await testEngine({}, { idleSocketTime: 50 });
    const client = await usedTunnel(through, origin.port);
    await through.upstreamCount(0);
    expect(await get(client)).toBe(OK);
    expect(origin.connections()).toBe(2);
  });
});

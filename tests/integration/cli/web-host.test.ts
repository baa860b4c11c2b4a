import { once } from 'node:events';
import http from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Notice, Reply } from '../../../shared/contract/envelope.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';

let origin: string;
let token: string;

beforeEach(async () => {
  const { ui } = await new RoundtripCli(['serve', '--port', '0', '--json']).ready();
  const url = new URL(ui);
  origin = url.origin;
  token = url.hash.replace('#token=', '');
});

/** Node's fetch does not allow a custom Host. */
async function get(path: string, headers: http.OutgoingHttpHeaders = {}, method = 'GET') {
  const request = http.request(origin, { path, headers, method }).end();
  const [response]: [http.IncomingMessage] = (await once(request, 'response')) as [http.IncomingMessage];
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += piece;
  return { status: response.statusCode, headers: response.headers, body };
}

function socketTo(query: string, headers: Record<string, string> = {}): WebSocket {
  return new WebSocket(`${origin.replace('http', 'ws')}/inspector${query}`, { headers });
}

async function refusalOf(socket: WebSocket): Promise<string> {
  const [error] = await once(socket, 'error');
  return String(error);
}

async function open(): Promise<WebSocket> {
  const socket = socketTo(`?token=${token}`);
  await once(socket, 'open');
  return socket;
}

async function reply(socket: WebSocket, frame: string | Buffer): Promise<Reply> {
  const received = new Promise<Reply>((resolve) => {
    socket.on('message', (data: Buffer) => {
      const message: Reply | Notice = JSON.parse(data.toString());
      if ('call' in message) resolve(message);
    });
  });
  socket.send(frame);
  return await received;
}

describe('the page', () => {
  it('is served with a strict content security policy', async () => {
    const { status, headers, body } = await get('/');
    expect(status).toBe(200);
    expect(body).toContain('<!doctype html>');
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['x-frame-options']).toBe('DENY');
  });

  it.each([
    [undefined, 'same-origin'],
    ['cross-site', 'same-origin'],
    ['same-site', 'same-origin'],
    ['none', undefined],
    ['same-origin', undefined],
  ])('keeps another page that opened it from holding it (Sec-Fetch-Site: %s)', async (site, policy) => {
    const { headers } = await get('/', site === undefined ? {} : { 'sec-fetch-site': site });
    expect(headers['cross-origin-opener-policy']).toBe(policy);
  });

  it.each(['/../package.json', '/%2e%2e/main.cjs', '/..%2fmain.cjs', '/nothing', '//', '/main.cjs'])(
    'serves nothing outside its folder: %s',
    async (path) => {
      const { status, body } = await get(path);
      expect([400, 404]).toContain(status);
      expect(body.split('\n')).toHaveLength(2);
    },
  );

  it('responds to no other host name (DNS rebinding)', async () => {
    const { status } = await get('/', { host: 'rebound.test' });
    expect(status).toBe(403);
  });

  it('accepts no other method', async () => {
    expect((await get('/', {}, 'POST')).status).toBe(405);
  });

  it('serves no download that was not announced', async () => {
    expect((await get('/download/')).status).toBe(404);
    expect((await get(`/download/${'A'.repeat(43)}`)).status).toBe(404);
  });
});

describe('the socket', () => {
  it('requires the token', async () => {
    expect(await refusalOf(socketTo(''))).toContain('403');
    expect(await refusalOf(socketTo('?token='))).toContain('403');
    expect(await refusalOf(socketTo(`?token=${token}x`))).toContain('403');
    expect(await refusalOf(socketTo(`?token=${token.slice(1)}`))).toContain('403');
  });

  it('accepts only our own page, even with the token', async () => {
    expect(await refusalOf(socketTo(`?token=${token}`, { origin: 'https://evil.test' }))).toContain('403');
    expect(await refusalOf(socketTo(`?token=${token}`, { origin: 'null' }))).toContain('403');
    expect(await refusalOf(socketTo(`?token=${token}`, { host: 'rebound.test' }))).toContain('403');
  });

  it('answers our own page', async () => {
    const socket = socketTo(`?token=${token}`, { origin });
    await once(socket, 'open');
    const info = await reply(socket, JSON.stringify({ call: 1, name: 'app.info', input: {} }));
    expect(info).toMatchObject({ call: 1, ok: true, value: { host: 'headless' } });
  });

  it.each([
    ['no JSON', 'nonsense', 'contract.not-a-message'],
    ['bytes', Buffer.from([0, 1, 2]), 'contract.not-a-message'],
    ['no call', '[]', 'contract.not-a-message'],
    ['another name', '{"call":1,"name":"nonsense","input":{}}', 'contract.unknown-name'],
    ['a wrong input', '{"call":1,"name":"exchanges.get","input":{"id":"1"}}', 'contract.bad-input'],
    ['too much', JSON.stringify({ call: 1, name: 'har.export', input: 'x'.repeat(300_000) }), 'contract.too-large'],
  ])('refuses %s with a code, and continues', async (_what, frame, code) => {
    const socket = await open();
    expect(await reply(socket, frame)).toMatchObject({ ok: false, problem: { code } });
    expect(await reply(socket, JSON.stringify({ call: 2, name: 'app.info', input: {} }))).toMatchObject({ ok: true });
  });

  it('answers the calls in its address, and refuses those that are none', async () => {
    const first = [{ call: 7, name: 'feed.open', input: { rows: 500 } }, { call: 8, name: 'no.such', input: {} }, 9];
    const socket = socketTo(`?token=${token}&first=${encodeURIComponent(JSON.stringify(first))}`);
    const replies = new Map<number, Reply>();
    socket.on('message', (data: Buffer) => {
      const message: Reply = JSON.parse(data.toString());
      replies.set(message.call, message);
    });
    await expect.poll(() => replies.size).toBe(3);
    expect(replies.get(7)).toMatchObject({ ok: true, value: { edits: { removed: [] }, newest: { count: 0 } } });
    expect(replies.get(8)).toMatchObject({ problem: { code: 'contract.unknown-name' } });
    expect([...replies.values()].find(({ call }) => call < 7)).toMatchObject({
      problem: { code: 'contract.not-a-message' },
    });
    socket.close();
  });

  it.each(['{', '7', '{"call":1}', 'null'])('opens without the calls of an address that is none: %s', async (text) => {
    const socket = socketTo(`?token=${token}&first=${encodeURIComponent(text)}`);
    const heard: unknown[] = [];
    socket.on('message', (data) => heard.push(data));
    await once(socket, 'open');
    expect(await reply(socket, JSON.stringify({ call: 1, name: 'app.info', input: {} }))).toMatchObject({ ok: true });
    expect(heard).toHaveLength(1);
    socket.close();
  });

  it('closes after a flood in one frame, and the host continues', async () => {
    const socket = await open();
    socket.send('x'.repeat(5_000_000));
    const [code] = await once(socket, 'close');
    expect([1006, 1009]).toContain(code);
    const next = await open();
    expect(await reply(next, JSON.stringify({ call: 1, name: 'app.info', input: {} }))).toMatchObject({ ok: true });
  });

  it('notifies every window of a setting that one changed', async () => {
    const [one, other] = [await open(), await open()];
    const told = new Promise<Notice>((resolve) => {
      other.on('message', (data: Buffer) => {
        const message: Notice = JSON.parse(data.toString());
        if (message.event === 'settings.changed') resolve(message);
      });
    });
    const input = { retry: false, upstreamProxy: { enabled: false, url: 'http://u:hunter2@proxy.test:1' } };
    const updated = await reply(one, JSON.stringify({ call: 1, name: 'settings.update', input }));
    expect(updated).toMatchObject({ ok: true, value: { retry: false } });
    const notice = await told;
    expect(notice.payload).toMatchObject({ retry: false, upstreamProxy: { url: 'http://u:***@proxy.test:1' } });
  });
});

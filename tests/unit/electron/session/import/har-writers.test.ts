import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { imported } from '../../../../support/imported.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';

/** Small samples of what each program writes, with its quirks. */
const sample = (name: string) => imported(path.join(import.meta.dirname, 'samples', name));

test('Chrome: HTTP/3, pseudo-fields, errors, WebSocket messages, URLs of extensions', async () => {
  const { exchanges, faults, text, messages } = await sample('chrome.har');
  expect(exchanges).toMatchObject([
    {
      kind: 'http',
      client: { protocol: 'h3', reused: false },
      upstream: { remoteAddress: '[2001:db8::1]:443' },
      request: { httpVersion: 'HTTP/3.0', headers: ['accept', '*/*'], headSize: -1 },
      response: { body: { size: -1, decoded: true } },
      timings: { dns: -1, connect: -1, wait: 20 },
    },
    {
      state: 'failed',
      client: { reused: true, protocol: 'h3' },
      response: null,
      failure: { code: 'import.reported-failure', message: expect.stringContaining('net::ERR_ABORTED') },
    },
    { kind: 'upgrade', request: { scheme: 'https' }, upstream: null },
  ]);
  expect(await text(1, 'response')).toBe('<p>héllo</p>\n');
  expect(messages(3)).toMatchObject([
    { kind: 'text', direction: 'sent', at: 1_795_168_800_500 },
    { kind: 'binary', direction: 'received', size: 3 },
  ]);
  expect(faults).toEqual(['entry 4: Its URL "chrome-extension://abc/x.js" is not an HTTP URL.']);
});

/** A HAR with these entries, each laid over a plain exchange. */
function harOf(...entries: { request?: object; response?: object; [field: string]: unknown }[]): string {
  const file = path.join(temporaryFolder(), 'written.har');
  const whole = entries.map(({ request, response, ...entry }) => ({
    startedDateTime: '2026-11-20T10:00:00.000Z',
    request: { method: 'GET', url: 'https://a.test/', headers: [], bodySize: -1, ...request },
    response: { status: 200, headers: [], bodySize: -1, content: {}, ...response },
    ...entry,
  }));
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', entries: whole } }));
  return file;
}

test.each([[[]], [[{ name: 'content-encoding', value: 'br' }]]])('Chrome: the events of a stream, %j', async (more) => {
  const headers = [{ name: 'content-type', value: 'text/event-stream' }, ...more];
  const content = { size: 0, mimeType: 'text/event-stream' };
  const _eventSourceMessages = [
    { time: 1_795_168_800.5, eventName: 'message', eventId: '', data: 'hello\nyou' },
    { time: 1_795_168_801, eventName: 'tick', eventId: '7', data: '{"a":1}' },
  ];
  const file = harOf({ response: { headers, content }, _eventSourceMessages });
  const { exchanges, text, messages } = await imported(file);
  expect(await text(1, 'response')).toBe('data: hello\ndata: you\n\nevent: tick\nid: 7\ndata: {"a":1}\n\n');
  expect(exchanges).toMatchObject([{ response: { body: { size: -1 } } }]);
  expect(messages(1).map(({ at }) => at)).toEqual([1_795_168_800_500, 1_795_168_801_000]);
});

test('Chrome: several fields of one name in one value', async () => {
  const headers = [
    { name: 'set-cookie', value: 'a=1; Path=/\nb=2; HttpOnly\r\nc=3' },
    { name: 'x', value: null },
  ];
  const { exchanges } = await imported(harOf({ response: { headers } }));
  expect(exchanges[0]?.response?.headers).toEqual([
    ...['set-cookie', 'a=1; Path=/', 'set-cookie', 'b=2; HttpOnly', 'set-cookie', 'c=3', 'x', ''],
  ]);
});

test('Proxyman: a 0 for each phase and for all of them is no time', async () => {
  const timings = { blocked: 0, dns: 0, connect: 0, ssl: 0, send: 0, wait: 0, receive: 0 };
  const { exchanges } = await imported(harOf({ time: 0, timings }));
  expect(exchanges).toMatchObject([{ timings: { send: -1, wait: -1, receive: -1, unsplit: -1 } }]);
});

test('mitmproxy: a request with bytes that are not UTF-8', async () => {
  const postData = { mimeType: 'application/octet-stream', text: 'é\udc80\udcff🫖', params: [] };
  const { exchanges, body } = await imported(harOf({ request: { method: 'POST', postData } }));
  expect(await body(1, 'request')).toEqual(Buffer.from([0xc3, 0xa9, 0x80, 0xff, 0xf0, 0x9f, 0xab, 0x96]));
  expect(exchanges).toMatchObject([{ request: { body: { size: 8, stored: 8 } } }]);
});

test('a path with characters beyond ASCII, as Charles and mitmproxy write some, is sent as UTF-8', async () => {
  const url = 'https://a.test/tee/ü?q=日本&r=%FC🫖';
  const { exchanges } = await imported(harOf({ request: { url } }));
  expect(exchanges[0]?.request.path).toBe('/tee/%C3%BC?q=%E6%97%A5%E6%9C%AC&r=%FC%F0%9F%AB%96');
});

test('Firefox: an image without its bytes, ssl next to connect, a zone', async () => {
  const { exchanges, text } = await sample('firefox.har');
  expect(exchanges).toMatchObject([
    {
      startedAt: Date.UTC(2026, 10, 20, 10),
      request: { host: 'shop.test', port: 8080, authority: 'shop.test:8080', httpVersion: 'HTTP/2.0' },
      response: { body: { size: 2048, stored: 0 } },
      timings: { connect: 30, ssl: 20 },
      // The port names no connection.
      upstream: null,
    },
  ]);
  expect(await text(1, 'request')).toBe('a=b+c');
});

test('Safari: unknown sizes', async () => {
  const { exchanges } = await sample('safari.har');
  expect(exchanges).toMatchObject([
    { client: { protocol: 'h2' }, request: { body: { size: 0 } }, response: { headSize: -1, body: { size: 3 } } },
  ]);
});

test('Charles: no pages, a form without text, nulls', async () => {
  const { exchanges, text } = await sample('charles.har');
  expect(exchanges).toMatchObject([
    { response: { status: 204, body: { size: 0 } }, timings: { blocked: -1, connect: 2 } },
  ]);
  expect(await text(1, 'request')).toBe('user=%C3%A9a');
});

test('fields of a form in place of its text: postData names the type, and other sizes are unknown', async () => {
  const file = path.join(temporaryFolder(), 'params.har');
  const params = [{ name: 'a b', value: 'c&d' }];
  const entry = (mimeType: string) => ({
    startedDateTime: '2026-05-01T10:00:00.000Z',
    request: { method: 'POST', url: 'https://a.test/', headers: [], bodySize: -1, postData: { mimeType, params } },
    response: { status: 200, headers: [], content: {} },
  });
  const entries = ['application/x-www-form-urlencoded', 'multipart/form-data'].map(entry);
  writeFileSync(file, JSON.stringify({ log: { entries } }));
  const { exchanges, text } = await imported(file);
  expect(await text(1, 'request')).toBe('a+b=c%26d');
  expect(exchanges.map(({ request }) => request.body.size)).toEqual([9, -1]);
});

test('Fiddler: seven digits of a second, base64, named ports', async () => {
  const { exchanges, body } = await sample('fiddler.har');
  expect(exchanges[0]?.startedAt).toBeCloseTo(Date.UTC(2026, 10, 20, 10) + 123.456, 3);
  expect(exchanges).toMatchObject([{ upstream: { reused: false }, response: { body: { size: 24, stored: 4 } } }]);
  expect(await body(1, 'response')).toEqual(Buffer.from([0, 255, 0, 130]));
});

test('HTTP Toolkit: TLS errors, bodies left out, WebSocket close', async () => {
  const { exchanges, messages } = await sample('http-toolkit.har');
  const failure = { message: expect.stringContaining('cert-rejected') };
  expect(exchanges).toMatchObject([
    { kind: 'tunnel', request: { path: 'pinned.test:8443' }, failure },
    { request: { body: { size: 600_000, stored: 0 } }, response: null, failure: { code: 'import.no-response' } },
    { kind: 'upgrade' },
  ]);
  expect(messages(3)).toMatchObject([{ kind: 'text' }, { kind: 'close', closeCode: 1001, at: 1_795_168_802_000 }]);
});

test('Proxyman: a 304 without a size is empty', async () => {
  const { exchanges } = await sample('proxyman.har');
  expect(exchanges).toMatchObject([{ client: { protocol: 'http/1.1' }, response: { body: { size: 0 } } }]);
});

test('mitmproxy: microseconds, ssl longer than connect', async () => {
  const { exchanges } = await sample('mitmproxy.har');
  expect(exchanges[0]?.startedAt).toBeCloseTo(Date.UTC(2026, 10, 20, 10) + 123.456, 3);
  expect(exchanges).toMatchObject([{ timings: { connect: 11, ssl: 6, blocked: -1 } }]);
});

test('Slack: fields as pairs, unknown sizes and phases', async () => {
  const { exchanges } = await sample('slack.har');
  expect(exchanges).toMatchObject([
    {
      request: { headers: ['accept', '*/*', 'x-id', '7'], httpVersion: 'HTTP/2.0' },
      response: { body: { size: 2, stored: 0 } },
      timings: { send: -1, wait: 5, receive: -1 },
    },
  ]);
});

test('Charles JSON: decoded bodies, failures, a transaction without a host', async () => {
  const { exchanges, faults, text } = await sample('charles.chlsj');
  expect(exchanges).toMatchObject([
    {
      request: { path: '/c?a=1', authority: 'shop.test', headSize: 100 },
      response: { status: 200, statusText: 'OK', body: { size: 31, decoded: true } },
      timings: { dns: -1, connect: 10, ssl: 5, send: 1, wait: 25, receive: 4 },
      upstream: { remoteAddress: '192.0.2.7:443' },
    },
    { request: { authority: 'down.test:8080' }, failure: { message: expect.stringContaining('Connection refused') } },
  ]);
  expect(await text(1, 'response')).toBe('charles');
  expect(faults).toEqual(['transaction 3: It has no host.']);
});

test.each(['utf-16le', 'utf-16be'])('a HAR in %s with a byte order mark, as PowerShell writes it', async (encoding) => {
  const text = readFileSync(path.join(import.meta.dirname, 'samples/chrome.har'), 'utf8');
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  const file = path.join(temporaryFolder(), 'wide.har');
  writeFileSync(file, encoding === 'utf-16be' ? bytes.swap16() : bytes);
  const [wide, plain] = [await imported(file), await sample('chrome.har')];
  expect(wide.exchanges.map(({ request }) => request.path)).toEqual(plain.exchanges.map(({ request }) => request.path));
  expect(await wide.text(1, 'response')).toBe('<p>héllo</p>\n');
});

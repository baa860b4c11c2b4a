import * as validate from 'har-validator';
import { describe, expect, test } from 'vitest';
import { EMPTY_HAR_BODY, type HarBody, harEntry } from '../../../../shared/format/har.ts';
import type { HarEntry } from '../../../../shared/format/har-types.ts';
import { NO_TIMINGS } from '../../../../shared/model/timings.ts';
import { EXAMPLE_UPSTREAM, type ExampleExchange, exampleExchange } from '../../../support/example-exchange.ts';

/** An entry that has passed har-validator. */
async function entryOf(
  exchange: ExampleExchange,
  bodies: { request?: HarBody; response?: HarBody } = {},
): Promise<HarEntry> {
  const entry = harEntry(
    exampleExchange(exchange),
    { request: EMPTY_HAR_BODY, response: EMPTY_HAR_BODY, ...bodies },
    'page_1',
  );
  await validate.entry(JSON.parse(entry));
  return JSON.parse(entry);
}

describe('times', () => {
  test('time is the sum of all phases but ssl, which is inside connect', async () => {
    const { time, timings } = await entryOf({});
    expect(timings).toEqual({ blocked: 0.1, dns: 1, connect: 30.5, ssl: 20.25, send: 0.05, wait: 73, receive: 4.125 });
    expect(time).toBe(108.775);
  });

  test('a phase that did not take place is -1 and not counted', async () => {
    const { time, timings } = await entryOf({ timings: { dns: -1, connect: -1, ssl: -1 } });
    expect(timings).toMatchObject({ dns: -1, connect: -1, ssl: -1 });
    expect(time).toBe(77.275);
  });

  test('whole microseconds, which keep sums exact', async () => {
    const { time, timings } = await entryOf({
      timings: { ...NO_TIMINGS, blocked: 0.1000001, send: 0.2000002, wait: 0.3, receive: 0.1234567 },
    });
    expect(timings).toMatchObject({ blocked: 0.1, send: 0.2, receive: 0.123 });
    expect(time).toBe(0.723);
  });

  test('the start is ISO 8601', async () => {
    expect((await entryOf({ startedAt: Date.UTC(2026, 10, 20, 12, 0, 0, 7) + 0.25 })).startedDateTime).toBe(
      '2026-11-20T12:00:00.007Z',
    );
  });
});

describe('a failure without a response', () => {
  test('is an entry with status 0, content, and numbers that readers can add up', async () => {
    const failure = { code: 'upstream.refused', side: 'upstream', message: 'No.', cause: 'ECONNREFUSED' } as const;
    const { response, timings, time } = await entryOf({
      state: 'failed',
      response: null,
      failure,
      timings: { blocked: 2 },
    });
    expect(response).toEqual({
      status: 0,
      statusText: '',
      httpVersion: '',
      cookies: [],
      headers: [],
      content: { size: 0, mimeType: 'x-unknown', text: '' },
      redirectURL: '',
      headersSize: 0,
      bodySize: 0,
      _transferSize: 0,
      _error: 'upstream.refused',
    });
    expect(timings).toEqual({ blocked: 2, dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: 0 });
    expect(time).toBe(2);
  });

  test('has no address of a server that was never reached', async () => {
    const entry = await entryOf({ state: 'failed', response: null, upstream: null, attempts: [] });
    expect(entry).not.toHaveProperty('serverIPAddress');
    expect(entry).not.toHaveProperty('_connectionId');
    expect(entry).toMatchObject({ connection: '443', _serverPort: 443 });
  });
});

describe('connection', () => {
  test('the port and the id where Chrome and WebKit look for them', async () => {
    expect(await entryOf({})).toMatchObject({
      serverIPAddress: '127.0.0.1',
      connection: '443',
      _serverPort: 443,
      _connectionId: '2',
    });
  });

  test.each([
    ['[2001:db8::1]:8443', '2001:db8::1'],
    ['[fe80::1%eth0]:443', 'fe80::1'],
    ['10.0.0.1:80', '10.0.0.1'],
    [null, undefined],
  ])('%s', async (remoteAddress, address) => {
    const entry = await entryOf({ upstream: { ...EXAMPLE_UPSTREAM, remoteAddress } });
    expect(entry.serverIPAddress).toBe(address);
  });

  test("an upstream proxy's address is not the server's", async () => {
    const entry = await entryOf({ upstream: { ...EXAMPLE_UPSTREAM, via: 'http://proxy.test:3128' } });
    expect(entry).not.toHaveProperty('serverIPAddress');
    expect(entry._roundtrip).toMatchObject({
      upstream: { via: 'http://proxy.test:3128', remoteAddress: '127.0.0.1:443' },
    });
  });
});

describe('sizes', () => {
  test('content is decoded, bodySize and _transferSize are on the wire', async () => {
    const { response } = await entryOf(
      { response: { headSize: 80, body: { size: 100, stored: 100, complete: true } } },
      { response: { ...EMPTY_HAR_BODY, text: 'x'.repeat(1000), size: 1000 } },
    );
    expect(response).toMatchObject({ headersSize: 80, bodySize: 100, _transferSize: 180 });
    expect(response.content).toMatchObject({
      size: 1000,
      compression: 900,
      mimeType: 'application/json; charset=utf-8',
    });
  });

  test('a body left out says why, and has no text', async () => {
    const { response } = await entryOf(
      { response: { body: { size: 9, stored: 0, complete: true } } },
      { response: { ...EMPTY_HAR_BODY, text: null, size: 9, comment: 'Not kept.' } },
    );
    expect(response.content).toEqual({ size: 9, mimeType: 'application/json; charset=utf-8', comment: 'Not kept.' });
  });

  test('binary is base64 and marked as such', async () => {
    const { response } = await entryOf(
      {},
      { response: { ...EMPTY_HAR_BODY, text: 'AAEC', encoding: 'base64', size: 3 } },
    );
    expect(response.content).toMatchObject({ text: 'AAEC', encoding: 'base64' });
  });
});

describe('request', () => {
  test('a form has its fields and its text', async () => {
    const params = [{ name: 'a', value: '1' }];
    const { request } = await entryOf(
      {
        request: {
          method: 'POST',
          headers: ['Content-Type', 'application/x-www-form-urlencoded'],
          body: { size: 3, stored: 3, complete: true },
        },
      },
      { request: { ...EMPTY_HAR_BODY, text: 'a=1', size: 3, params } },
    );
    expect(request.postData).toEqual({ mimeType: 'application/x-www-form-urlencoded', params, text: 'a=1' });
    expect(request.bodySize).toBe(3);
  });

  test('no body, no postData', async () => {
    expect((await entryOf({})).request).not.toHaveProperty('postData');
  });

  test('header order, case and duplicates stay; query and cookies are read', async () => {
    const { request } = await entryOf({
      request: { path: '/a?x=1&y=%C3%BC+z&flag', headers: ['b', '1', 'A', '2', 'b', '3', 'Cookie', 'sid=1; t=a=b'] },
    });
    expect(request.headers.map(({ name, value }) => name + value)).toEqual(['b1', 'A2', 'b3', 'Cookiesid=1; t=a=b']);
    expect(request.queryString).toEqual([
      { name: 'x', value: '1' },
      { name: 'y', value: 'ü z' },
      { name: 'flag', value: '' },
    ]);
    expect(request.cookies).toEqual([
      { name: 'sid', value: '1' },
      { name: 't', value: 'a=b' },
    ]);
  });

  test.each([
    [{ path: '/a//b?c=[1]|2' }, 'https://api.test/a//b?c=[1]|2'],
    [{ path: '/\u00fc "x' }, 'https://api.test/%FC%20"x'],
    [{ method: 'OPTIONS', path: '*' }, 'https://api.test/*'],
    [{ method: 'CONNECT', path: 'api.test:443' }, 'https://api.test/'],
  ])('%j: %s', async (request, url) => {
    const entry = await entryOf({ request });
    expect(entry.request.url).toBe(url);
    expect(entry._roundtrip).toMatchObject({ path: request.path });
  });
});

test("the response's own protocol, cookies, redirect and trailers", async () => {
  const { response } = await entryOf({
    response: {
      status: 302,
      httpVersion: 'HTTP/2.0',
      headers: [
        'location',
        '/there',
        'set-cookie',
        'sid=abc; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure; HttpOnly',
      ],
      trailers: ['Checksum', 'abc'],
    },
  });
  expect(response).toMatchObject({ httpVersion: 'HTTP/2.0', redirectURL: '/there' });
  expect(response._trailers).toEqual([{ name: 'Checksum', value: 'abc' }]);
  expect(response.cookies).toEqual([
    { name: 'sid', value: 'abc', path: '/', expires: '2026-10-21T07:28:00.000Z', secure: true, httpOnly: true },
  ]);
});

test('what rules did is under _roundtrip, with the message as it was on the other side', async () => {
  const { request } = exampleExchange({});
  const rules = [{ index: 0, name: 'other', actions: ['changeRequest'], problem: null }];
  const sent = { ...request, path: '/other', trailers: ['x-sum', '1'] };
  const { _roundtrip } = await entryOf({ rules, sent, mark: { colour: 'red' as const } });
  expect(_roundtrip).toMatchObject({
    ...{ rules, received: null, mark: { colour: 'red' } },
    sent: { path: '/other', trailers: ['x-sum', '1'] },
  });
  expect((await entryOf({}))._roundtrip).not.toHaveProperty('rules');
});

test('values that HAR does not define are under _roundtrip', async () => {
  const entry = await entryOf({ id: 7 });
  expect(entry.cache).toEqual({});
  expect(entry._roundtrip).toMatchObject({
    id: 7,
    kind: 'http',
    overhead: 0.11,
    overheadRequest: 0.08,
    attempts: [{ connection: 2, failure: null }],
    client: { id: 1, reused: false },
    upstream: { id: 2, tls: { version: 'TLSv1.3' } },
  });
});

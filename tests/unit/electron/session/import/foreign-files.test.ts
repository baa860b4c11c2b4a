import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openSource } from '../../../../../electron/session/import/open-source.ts';
import { imported } from '../../../../support/imported.ts';
import { storedZip } from '../../../../support/stored-zip.ts';
import { temporaryFolder } from '../../../../support/temporary-folder.ts';
import { tnetstring } from '../../../../support/tnetstring.ts';

function written(name: string, content: string | Buffer): string {
  const file = path.join(temporaryFolder(), name);
  writeFileSync(file, content);
  return file;
}

const METADATA = `<?xml version="1.0"?><Session SID="1"><SessionTimers
 ClientBeginRequest="2026-11-20T10:00:00.1000000+00:00"
 FiddlerBeginRequest="2026-11-20T10:00:00.1100000+00:00" ServerGotRequest="2026-11-20T10:00:00.1120000+00:00"
 ServerBeginResponse="2026-11-20T10:00:00.1500000+00:00" ServerDoneResponse="2026-11-20T10:00:00.1510000+00:00"
 DNSTime="3" TCPConnectTime="4" HTTPSHandshakeTime="5" /><SessionFlags><SessionFlag N="x-clientport" V="51000" />
 <SessionFlag N="x-clientip" V="::ffff:127.0.0.1" /><SessionFlag N="x-hostip" V="192.0.2.7" />
 <SessionFlag N="x-egressport" V="51001" /></SessionFlags></Session>`;

test('a Fiddler archive: chunked and coded bodies, timers, a request without a response', async () => {
  const body = gzipSync('fiddled');
  const chunked = Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from('\r\n0\r\n\r\n')]);
  const head = 'HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n';
  const { exchanges, faults, text } = await imported(
    written(
      'a.saz',
      storedZip({
        'raw/2_c.txt': 'GET http://down.test/ HTTP/1.1\r\n\r\n',
        'raw/2_m.xml': METADATA,
        'raw/1_c.txt': 'POST https://shop.test/x?y HTTP/1.1\r\nHost: shop.test\r\n\r\nsent',
        'raw/1_s.txt': Buffer.concat([Buffer.from(head), chunked]),
        'raw/1_m.xml': METADATA,
        'raw/3_m.xml': METADATA,
        '_index.htm': '',
      }),
    ),
  );
  expect(exchanges).toMatchObject([
    {
      startedAt: Date.UTC(2026, 10, 20, 10, 0, 0, 100),
      client: { remoteAddress: '127.0.0.1:51000' },
      upstream: { remoteAddress: '192.0.2.7:443' },
      request: { scheme: 'https', path: '/x?y', body: { size: 4 } },
      response: { status: 200, statusText: 'OK', body: { size: body.length } },
      timings: { blocked: -1, dns: 3, connect: 9, ssl: 5, send: 2, wait: 38, receive: 1 },
    },
    { request: { authority: 'down.test' }, response: null, state: 'failed' },
  ]);
  expect(await text(1, 'response')).toBe('fiddled');
  expect(faults).toEqual(['session 3: It has no request.']);
});

function flow(more: object = {}): Buffer {
  return tnetstring({
    ...{ type: 'http', version: 21, id: 'a', error: null, websocket: null },
    client_conn: { id: 'c1', peername: ['127.0.0.1', 51000], sockname: ['127.0.0.1', 8080] },
    server_conn: { id: 's1', peername: ['2001:db8::1', 443, 0, 0], sockname: null },
    request: {
      ...{
        method: Buffer.from('GET'),
        scheme: Buffer.from('https'),
        authority: Buffer.from('shop.test'),
        host: 'shop.test',
      },
      ...{ port: 443, path: Buffer.from('/f'), http_version: Buffer.from('HTTP/2.0'), content: Buffer.alloc(0) },
      ...{ headers: [[Buffer.from('a'), Buffer.from('b')]], trailers: null },
      ...{ timestamp_start: 1_795_168_800.5, timestamp_end: 1_795_168_800.501 },
    },
    response: {
      ...{ status_code: 200, reason: Buffer.from(''), http_version: Buffer.from('HTTP/2.0') },
      ...{
        headers: [[Buffer.from('content-encoding'), Buffer.from('gzip')]],
        content: gzipSync('flowed'),
        trailers: null,
      },
      ...{ timestamp_start: 1_795_168_800.52, timestamp_end: 1_795_168_800.5225 },
    },
    ...more,
  });
}

test('flows of mitmproxy', async () => {
  const socket = {
    messages: [[1, true, Buffer.from('hi'), 1_795_168_801, false, false]],
    close_code: 1000,
    close_reason: '',
  };
  const request = {
    method: Buffer.from('GET'),
    scheme: Buffer.from('https'),
    host: 'ws.test',
    port: 8443,
    path: Buffer.from('/'),
  };
  const response = { status_code: 101, headers: [], content: null };
  const file = written(
    'a.flow',
    Buffer.concat([
      flow(),
      flow({ type: 'tcp' }),
      flow({ request, response, websocket: socket }),
      flow({ response: null, error: { msg: 'gone' } }),
      flow().subarray(0, 100),
    ]),
  );
  const { exchanges, faults, text, messages } = await imported(file);
  expect(exchanges).toMatchObject([
    {
      startedAt: 1_795_168_800_500,
      client: { protocol: 'h2', reused: false, localAddress: '127.0.0.1:8080' },
      upstream: { remoteAddress: '[2001:db8::1]:443' },
      request: { headers: ['a', 'b'], headSize: -1 },
      timings: { dns: -1, send: 1, wait: 19, receive: 2.5 },
    },
    { kind: 'upgrade', request: { authority: 'ws.test:8443' } },
    { state: 'failed', failure: { message: 'The imported file says that this exchange failed: gone.' } },
  ]);
  expect(await text(1, 'response')).toBe('flowed');
  expect(messages(2)).toMatchObject([
    { kind: 'text', preview: 'hi' },
    { kind: 'close', closeCode: 1000 },
  ]);
  expect(faults).toEqual([
    'flow 2: It is a flow of the type "tcp", not HTTP.',
    'The file ends in the middle of a flow.',
  ]);
});

test.each([
  ['a.chls', Buffer.from([0xac, 0xed, 0, 5]), 'Export the session in Charles as JSON (.chlsj) or as HAR'],
  ['a.har', '', 'it is empty'],
  ['a.txt', 'hello', 'it is not a session file, HAR, .chlsj, .saz or .flow'],
  ['a.saz', 'PK\x03\x04 and no directory', 'cannot be imported'],
])('%s: refused in one sentence', async (name, content, sentence) => {
  await expect(openSource(written(name, content))).rejects.toThrow(sentence);
});

test('a missing file', async () => {
  await expect(openSource('/nowhere/a.har')).rejects.toThrow(
    '/nowhere/a.har cannot be imported: there is no such file.',
  );
});

test('JSON that is not a HAR is refused, and an empty HAR is accepted', async () => {
  await expect(openSource(written('package.json', '{"name":"x","files":["a"]}'))).rejects.toMatchObject({
    code: 'import.failed',
    message: expect.stringContaining('it holds no "log.entries"'),
  });
  const empty = await openSource(written('empty.har', '{"log":{"version":"1.2","entries":[]}}'));
  expect(empty.faults).toEqual([]);
  await empty.close();
});

/** An entry as Chrome writes it, with other fields in place of its own. */
function harEntry(url: string, more: object = {}): object {
  const request = { method: 'GET', url, httpVersion: 'HTTP/1.1', headers: [], headersSize: -1, bodySize: 0 };
  const response = { status: 200, statusText: '', httpVersion: 'HTTP/1.1', headers: [], content: {}, bodySize: 0 };
  return { startedDateTime: '2026-11-20T10:00:00Z', request, response, timings: {}, time: 1, ...more };
}

test('a hostile entry is reported, and the others are imported', async () => {
  const notText = { toString: 1, valueOf: 1 };
  const words = { kind: 'http', state: 'complete', startedAt: 0, path: '/w', failure: null, attempts: [] };
  const own = { ...words, client: {}, upstream: null, informational: [], responseBody: null };
  const entries = [
    harEntry('http://one.test/'),
    harEntry('http://a.test/', {
      request: { method: 'GET', url: 'http://a.test/', headers: [{ name: 'a', value: notText }] },
    }),
    harEntry('http://b.test/', { connection: notText }),
    harEntry('http://two.test/', {
      _roundtrip: { ...own, id: 2 ** 63, requestBody: { size: 1e308, stored: 0, complete: true } },
    }),
    harEntry('http://three.test/', {
      response: { status: 1e308, headers: [], content: { size: 1e308 }, bodySize: 1.5, headersSize: 1e308 },
      timings: { wait: 1e308, receive: 2 },
    }),
    harEntry('http://last.test/'),
  ];
  const { exchanges, faults } = await imported(written('a.har', JSON.stringify({ log: { entries } })));
  expect(exchanges.map(({ request }) => request.authority)).toEqual([
    'one.test',
    'two.test',
    'three.test',
    'last.test',
  ]);
  expect(exchanges[1]?.id).toBeLessThan(10);
  expect(exchanges[2]).toMatchObject({ response: null, timings: { wait: -1, receive: 2 } });
  expect(faults.map((fault) => fault.replace(/read: .*/, 'read'))).toEqual([
    "entry 2: It can't be read",
    "entry 3: It can't be read",
  ]);
});

test('endlessly nested values, and a start that is not a date, are faults of their flow', async () => {
  // Each level of a tnetstring has its length in front of it.
  let nested = '';
  for (let depth = 0; depth < 20_000; depth += 1) nested = `${nested.length}:${nested}]`;
  const endless = flow({
    request: { ...{ method: 'GET', scheme: 'https', host: 'a.test', path: '/' }, timestamp_start: 1e300 },
  });
  const { exchanges, faults } = await imported(
    written('b.flow', Buffer.concat([Buffer.from(nested), endless, flow()])),
  );
  expect(exchanges).toHaveLength(1);
  expect(faults).toEqual([
    "flow 1: It can't be read: Maximum call stack size exceeded.",
    'flow 2: Its start 1e+300 is not a date.',
  ]);
});

test('skips unclosed Fiddler metadata at once', async () => {
  const files = {
    'raw/1_c.txt': 'GET http://a.test/ HTTP/1.1\r\n\r\n',
    'raw/1_m.xml': '<SessionTimers '.repeat(200_000),
  };
  const long = {
    'raw/2_c.txt': 'GET http://b.test/ HTTP/1.1\r\n\r\n',
    'raw/2_m.xml': `<SessionTimers ${'a'.repeat(2_000_000)}>`,
  };
  const { faults } = await imported(written('c.saz', storedZip({ ...files, ...long })));
  const message = 'Its metadata does not say when it began.';
  expect(faults).toEqual([`session 1: ${message}`, `session 2: ${message}`]);
});

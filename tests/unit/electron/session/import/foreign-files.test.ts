import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openSource } from '../../../../../electron/session/import/open-source.ts';
import { NO_TIMINGS } from '../../../../../shared/model/timings.ts';
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
  ['a.saz', 'PK\x03\x04 and no directory', 'cannot be imported: it is not an archive of Fiddler, or nothing'],
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
    "flow 1: It can't be read: its values nest too deeply.",
    'flow 2: Its start time 1e+300 is not a date.',
  ]);
});

test('skips unclosed Fiddler metadata at once', async () => {
  const files = {
    'raw/1_c.txt': 'GET http://a.test/ HTTP/1.1\r\n\r\n',
    'raw/1_m.xml': '<SessionTimers '.repeat(60_000),
  };
  const long = {
    'raw/2_c.txt': 'GET http://b.test/ HTTP/1.1\r\n\r\n',
    'raw/2_m.xml': `<SessionTimers ${'a'.repeat(900_000)}>`,
  };
  const { faults } = await imported(written('c.saz', storedZip({ ...files, ...long })));
  const message = 'Nothing in the archive says when it began.';
  expect(faults).toEqual([`session 1: ${message}`, `session 2: ${message}`]);
});

test.each([
  ['a value of 900 GB', '900000000000:x', 'flow 2: It is over 256 MB, which is too large to import.'],
  ['a length without an end', `${'9'.repeat(40)}:x`, "The rest can't be read: it is not a mitmproxy file."],
  ['a flow that ends in the middle', '5000:abc', 'The file ends in the middle of a flow.'],
])('flows before %s are imported', async (_what, rest, line) => {
  const { exchanges, faults } = await imported(written('c.flow', Buffer.concat([flow(), Buffer.from(rest)])));
  expect(exchanges).toHaveLength(1);
  expect(faults[0]).toBe(line);
});

test('a flow of millions of empty values is a fault, and the next one is imported', async () => {
  const hostile = Buffer.from('0:~'.repeat(2_100_000));
  const bytes = Buffer.concat([Buffer.from(`${hostile.length}:`), hostile, Buffer.from(']')]);
  const { exchanges, faults } = await imported(written('d.flow', Buffer.concat([bytes, flow()])));
  expect(exchanges).toHaveLength(1);
  expect(faults).toEqual(["flow 1: It can't be read: it holds too many values."]);
});

test('values of another type are unknown, or a fault of their flow', async () => {
  const request = { method: 'GET', scheme: 'https', host: 'a.test', path: '/', timestamp_start: 1_795_168_800 };
  const wrong = [7, 'x', null, [], {}, [[1]], true];
  const flows = wrong.flatMap((value) => [
    flow({ response: value }),
    flow({ request: { ...request, headers: value, port: value, timestamp_end: value } }),
    flow({ client_conn: value, server_conn: value, websocket: value, error: value }),
    flow({ request: value }),
  ]);
  const { exchanges, faults } = await imported(written('e.flow', Buffer.concat([...flows, flow()])));
  expect(exchanges.length + faults.length).toBe(flows.length + 1);
  expect(exchanges.at(-1)).toMatchObject({ response: { status: 200 }, timings: { wait: 19 } });
  for (const fault of faults) expect(fault).toMatch(/^flow \d+: Its .+\.$/);
});

test('a flow of a newer mitmproxy is read as far as it is alike, and named where it is not', async () => {
  const newer = flow({ version: 99, request: { verb: 'GET' } });
  const { exchanges, faults } = await imported(written('f.flow', Buffer.concat([flow({ version: 99 }), newer])));
  expect(exchanges).toHaveLength(1);
  expect(faults).toEqual([expect.stringContaining('It is in the format 99 of a newer mitmproxy')]);
});

test('a stream of events has messages, without times that the file does not have', async () => {
  const content = Buffer.from('data: one\n\ndata: two\n\nrest');
  const headers = [[Buffer.from('content-type'), Buffer.from('text/event-stream; charset=utf-8')]];
  const streamed = flow({ response: { status_code: 200, headers, content } });
  const har = { log: { entries: [harEntry('http://a.test/', { response: eventResponse(content.toString()) })] } };
  for (const file of [written('g.flow', streamed), written('g.har', JSON.stringify(har))]) {
    const { messages } = await imported(file);
    expect(messages(1)).toMatchObject([
      { kind: 'event', direction: 'received', preview: 'data: one\n\n', at: -1 },
      { kind: 'event', preview: 'data: two\n\n', at: -1 },
    ]);
  }
});

function eventResponse(text: string): object {
  const headers = [{ name: 'Content-Type', value: 'text/event-stream' }];
  return { status: 200, headers, content: { text, mimeType: 'text/event-stream' }, bodySize: -1 };
}

test.each([
  ['no phases', undefined],
  ['a 0 for each phase', { blocked: -1, dns: -1, connect: -1, send: 0, wait: 0, receive: 0 }],
])('an entry with a time and %s has a total, and no phase', async (_what, timings) => {
  const entry = harEntry('http://a.test/', { time: 123.5, timings });
  const { exchanges } = await imported(written('h.har', JSON.stringify({ log: { entries: [entry] } })));
  expect(exchanges[0]?.timings).toEqual({ ...NO_TIMINGS, unsplit: 123.5 });
});

test('an entry without any time has no total', async () => {
  const entry = harEntry('http://a.test/', { time: 0, timings: { send: -1, wait: -1, receive: -1 } });
  const { exchanges } = await imported(written('i.har', JSON.stringify({ log: { entries: [entry] } })));
  expect(exchanges[0]?.timings).toEqual(NO_TIMINGS);
});

test('brackets without end are refused, and a long text before the entries takes no memory', async () => {
  await expect(openSource(written('j.har', `{"log":${'['.repeat(100_000)}`))).rejects.toThrow('nest too deeply');
  const entries = JSON.stringify([harEntry('http://a.test/')]);
  const late = await imported(written('l.har', `{"log":{"entries":${entries},"pages":${'['.repeat(2000)}`));
  expect(late.exchanges).toHaveLength(1);
  expect(late.faults).toEqual(["The rest can't be read: its brackets nest too deeply."]);
  const log = { comment: 'x'.repeat(3_000_000), entries: [harEntry('http://a.test/')] };
  const { exchanges } = await imported(written('k.har', JSON.stringify({ log })));
  expect(exchanges).toHaveLength(1);
});

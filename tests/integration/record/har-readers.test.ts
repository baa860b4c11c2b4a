import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import zlib from 'node:zlib';
import type { Har } from 'har-format';
import * as validate from 'har-validator';
import { expect, it } from 'vitest';
import { chromiumPath } from '../../support/chromium.ts';
import { devtoolsRequests } from '../../support/devtools-har.ts';
import { http2Origin } from '../../support/http2-origin.ts';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { secureRawOrigin } from '../../support/secure-raw-origin.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pythonWith } from '../../support/test-python.ts';

const JSON_TEXT = JSON.stringify({ greeting: 'grüß Gott', list: Array(200).fill('again') });
const PICTURE = Buffer.from('89504e470d0a1a0a00ff80', 'hex');

function responses(): Record<string, Buffer> {
  const zipped = zlib.gzipSync(JSON_TEXT);
  const chunk = Buffer.concat([Buffer.from(`${zipped.length.toString(16)}\r\n`), zipped, Buffer.from('\r\n')]);
  const coded =
    'Content-Type: application/json\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n';
  return {
    '/json': Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\n${coded}\r\n`),
      chunk,
      Buffer.from('0\r\nX-Sum: 42\r\n\r\n'),
    ]),
    '/picture': Buffer.concat([
      Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: ${PICTURE.length}\r\n\r\n`),
      PICTURE,
    ]),
    '/form': Buffer.from(
      'HTTP/1.1 303 See Other\r\nLocation: /json\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n',
    ),
    '/cut': Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 100\r\n\r\nonly this'),
    '/socket': Buffer.from('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n'),
  };
}

/** One of each kind, by real clients through the real command line. */
async function recorded(): Promise<{ file: string; har: Har; h1: string; h2: string }> {
  const all = responses();
  const origin = await secureRawOrigin((socket, received) => {
    const last = received.slice(received.search(/(?:GET|POST) (?![\s\S]*(?:GET|POST) )/));
    const target = /^\w+ (\S+)/.exec(last)?.[1] ?? '';
    if (!/\r\n\r\n(?:x=.*)?$/.test(last)) return;
    const response = all[target] ?? '';
    if (target === '/cut' || target === '/socket') socket.end(response);
    else delay(20).then(() => socket.write(response));
  });
  const second = await http2Origin((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/plain' }, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    stream.end('over two');
  });
  const h1 = `https://localhost:${origin.port}`;
  const h2 = `https://localhost:${second.port}`;
  const file = path.join(temporaryFolder(), 'out.har');
  const script = [
    `curl -sS ${h1}/json`,
    `curl -sS ${h1}/picture`,
    `curl -sS -d x=1 -d 'y=a b' ${h1}/form`,
    `curl -sS ${h1}/cut`,
    `curl -sS -H 'Connection: Upgrade' -H 'Upgrade: echo' ${h1}/socket`,
    `curl -sS --http2 ${h2}/two`,
    'curl -sS http://127.0.0.1:1/refused',
    'true',
  ].join('; ');
  const own = ['--port', '0', '--upstream-ca', origin.caPath, '--upstream-ca', second.caPath, '--har', file];
  const { exitCode, stderr } = await runRoundtrip(['record', ...own, '--', 'sh', '-c', script]);
  if (exitCode !== 0) throw new Error(stderr);
  return { file, har: JSON.parse(fs.readFileSync(file, 'utf8')), h1, h2 };
}

it('har-validator accepts it, with custom fields for everything that HAR does not define', async () => {
  const { har } = await recorded();
  await expect(validate.har(har)).resolves.toBeTruthy();
  const { entries } = har.log;
  expect(entries.map(({ response }) => [response.status, '_error' in response ? response._error : null])).toEqual([
    [200, null],
    [200, null],
    [303, null],
    [200, 'upstream.body-cut-short'],
    [101, null],
    [200, null],
    [0, 'upstream.refused'],
  ]);
  expect(entries[0]?.response).toMatchObject({ _trailers: [{ name: 'X-Sum', value: '42' }] });
  expect(entries[5]?.response).toMatchObject({ _trailers: [{ name: 'grpc-status', value: '0' }] });
});

const CHROMIUM = chromiumPath();

it.skipIf(CHROMIUM === null)("the importer of Chromium's DevTools reads all of it (Chromium)", async () => {
  const { file, har, h1, h2 } = await recorded();
  const read = await devtoolsRequests(CHROMIUM ?? '', fs.readFileSync(file, 'utf8'));
  expect(read.map(({ method, url, status, protocol, type }) => [method, url, status, protocol, type])).toEqual([
    ['GET', `${h1}/json`, 200, 'http/1.1', 'fetch'],
    ['GET', `${h1}/picture`, 200, 'http/1.1', 'image'],
    ['POST', `${h1}/form`, 303, 'http/1.1', 'other'],
    ['GET', `${h1}/cut`, 200, 'http/1.1', 'other'],
    ['GET', `${h1}/socket`, 101, 'http/1.1', 'websocket'],
    ['GET', `${h2}/two`, 200, 'h2', 'other'],
    ['GET', 'http://127.0.0.1:1/refused', 0, '', 'other'],
  ]);
  expect(read.map(({ body, isBase64 }) => [body, isBase64])).toEqual([
    [JSON_TEXT, false],
    [PICTURE.toString('base64'), true],
    ['', false],
    ['only this', false],
    ['', false],
    ['over two', false],
    ['', false],
  ]);
  expect(read[2]?.postData).toBe('x=1&y=a b');
  const [zipped, picture, , cut] = read;
  expect(zipped?.resourceSize).toBe(Buffer.byteLength(JSON_TEXT));
  expect(zipped?.transferSize).toBeLessThan(Buffer.byteLength(JSON_TEXT));
  expect([picture?.resourceSize, cut?.resourceSize]).toEqual([PICTURE.length, 9]);
  // Each is its own client's. A POST is not sent on a connection that another client left idle.
  const [first, second, posted] = read.map(({ connectionId }) => connectionId);
  expect(second).toBe(first);
  expect(posted).not.toBe(first);
  for (const [index, { requestHeaders, responseHeaders, address, ...times }] of read.entries()) {
    const entry = har.log.entries[index];
    expect(requestHeaders.map(({ name, value }) => [name, value])).toEqual(
      entry?.request.headers.map(({ name, value }) => [name, value]),
    );
    expect(responseHeaders.map(({ name, value }) => [name, value])).toEqual(
      entry?.response.headers.map(({ name, value }) => [name, value]),
    );
    if (entry?.response.status !== 0) expect(address).toBe(`127.0.0.1:${new URL(entry?.request.url ?? '').port}`);
    // Seconds there, as doubles of some 1.8e9.
    expect(times.startTime).toBeCloseTo(Date.parse(entry?.startedDateTime ?? '') / 1000, 5);
    expect(times.duration).toBeCloseTo((entry?.time ?? 0) / 1000, 5);
    expect(times.latency).toBeLessThanOrEqual(times.duration);
  }
});

const HARALYZER = `
import json, sys
from haralyzer import HarParser
page = HarParser(json.load(open(sys.argv[1]))).pages[0]
print(json.dumps({
    "title": page.title,
    "gets": [each.request.url for each in page.get_requests],
    "posts": [each.request.url for each in page.post_requests],
    "images": [each.request.url for each in page.image_files],
    "texts": [each.response.text for each in page.entries],
    "sizes": [each.response.contentSize for each in page.entries],
    "statuses": [each.status for each in page.entries],
    "times": [each.time for each in page.entries],
    "failed": [each.request.url for each in page.filter_entries(status_code="^0$")],
    "total": page.page_size_trans,
}))
`;

interface Haralyzed {
  title: string;
  gets: string[];
  posts: string[];
  images: string[];
  texts: string[];
  sizes: number[];
  statuses: number[];
  times: number[];
  failed: string[];
  total: number;
}

const PYTHON = pythonWith('haralyzer');

it.skipIf(PYTHON === null)('haralyzer makes a page of it (PyPI haralyzer)', async () => {
  const { file, har, h1, h2 } = await recorded();
  const { log } = har;
  const read: Haralyzed = JSON.parse(execFileSync(PYTHON ?? '', ['-c', HARALYZER, file], { encoding: 'utf8' }));
  const get = [`${h1}/json`, `${h1}/picture`, `${h1}/cut`, `${h1}/socket`, `${h2}/two`, 'http://127.0.0.1:1/refused'];
  expect(read).toMatchObject({
    title: log.pages?.[0]?.title,
    gets: get,
    posts: [`${h1}/form`],
    images: [`${h1}/picture`],
    texts: [JSON_TEXT, PICTURE.toString('base64'), '', 'only this', '', 'over two', ''],
    sizes: [Buffer.byteLength(JSON_TEXT), PICTURE.length, 0, 9, 0, 8, 0],
    statuses: [200, 200, 303, 200, 101, 200, 0],
    times: log.entries.map(({ time }) => time),
    failed: ['http://127.0.0.1:1/refused'],
    total: log.entries.reduce((sum, { response }) => sum + (response._transferSize ?? 0), 0),
  });
});

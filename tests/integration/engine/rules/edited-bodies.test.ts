import fs from 'node:fs';
import path from 'node:path';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { PROTOCOL_PAIRS } from '../../../support/protocol-pairs.ts';
import { ruleScene } from '../../../support/rule-scene.ts';

const PAGE = '{"animal":"cat","count":1,"list":["a","b"]}';
const DOG = PAGE.replace('cat', 'dog');
const CODINGS: Record<string, { encode: (bytes: string) => Buffer; decode: (bytes: Buffer) => Buffer }> = {
  gzip: { encode: (text) => zlib.gzipSync(text), decode: (bytes) => zlib.gunzipSync(bytes) },
  deflate: { encode: (text) => zlib.deflateSync(text), decode: (bytes) => zlib.inflateSync(bytes) },
  br: { encode: (text) => zlib.brotliCompressSync(text), decode: (bytes) => zlib.brotliDecompressSync(bytes) },
  zstd: { encode: (text) => zlib.zstdCompressSync(text), decode: (bytes) => zlib.zstdDecompressSync(bytes) },
  identity: { encode: (text) => Buffer.from(text), decode: (bytes) => bytes },
};
const coded = (coding: string, text: string) => CODINGS[coding]?.encode(text) ?? Buffer.alloc(0);
const decoded = (coding: unknown, bytes: Buffer) => CODINGS[String(coding)]?.decode(bytes).toString();

const FILE = path.resolve('LICENSE');
const CHANGES: [string, object, string][] = [
  ['text', { replaceBody: [{ find: 'cat', with: 'dog' }] }, DOG],
  [
    'a regular expression',
    { replaceBody: [{ find: '"COUNT":(\\d)', with: '"count":"$1"', regex: true, ignoreCase: true }] },
    PAGE.replace('1', '"1"'),
  ],
  ['a merge patch', { mergeJson: { animal: null, more: 1 } }, '{"count":1,"list":["a","b"],"more":1}'],
  [
    'a JSON patch',
    {
      patchJson: [
        { op: 'test', path: '/count', value: 1 },
        { op: 'move', from: '/animal', path: '/list/0' },
      ],
    },
    '{"count":1,"list":["cat","a","b"]}',
  ],
  ['a file', { bodyFile: FILE }, fs.readFileSync(FILE, 'utf8')],
  ['other text', { body: 'other' }, 'other'],
];

describe.each(PROTOCOL_PAIRS)('bodies that rules edit, $client client, $upstream upstream', (pair) => {
  /** An origin that answers with the page in this coding, in two writes, with a length or without. */
  const serving = (coding: string, hasLength: boolean, ...actions: object[]) =>
    ruleScene(
      pair,
      (response) => {
        const bytes = coded(coding, PAGE);
        response.writeHead(200, {
          ...{ 'content-type': 'application/json', 'content-encoding': coding },
          ...(hasLength && { 'content-length': bytes.length }),
        });
        response.write(bytes.subarray(0, 7));
        response.end(bytes.subarray(7));
      },
      { do: actions },
    );
  const start = (...actions: object[]) => ruleScene(pair, (response) => response.end('ok'), { do: actions });

  const lengths = Object.keys(CODINGS).flatMap((coding) => [
    { coding, hasLength: true },
    { coding, hasLength: false },
  ]);
  it.each(lengths)('a response in $coding, length given: $hasLength', async ({ coding, hasLength }) => {
    const { ask, ended, seen } = await serving(coding, hasLength, {
      changeResponse: { replaceBody: [{ find: 'cat', with: 'dog' }] },
    });
    const { status, headers, body, isWhole } = await ask('/');
    expect({ status, isWhole, text: decoded(coding, body) }).toEqual({ status: 200, isWhole: true, text: DOG });
    expect(headers).toMatchObject({ 'content-encoding': coding, 'content-length': String(body.length) });
    expect(headers).not.toHaveProperty('transfer-encoding');
    const exchange = await ended();
    expect(exchange).toMatchObject({ state: 'complete', failure: null, rules: [{ problem: null }] });
    expect(Buffer.concat(seen.bodies.get(`${exchange.id} response`) ?? [])).toEqual(body);
    // What arrived is recorded too.
    expect(seen.body(exchange, 'received')).toBe(coded(coding, PAGE).toString());
    expect(exchange.received?.body).toMatchObject({ size: coded(coding, PAGE).length, complete: true, own: true });
  });

  it.each(lengths)('a request in $coding, length given: $hasLength', async ({ coding, hasLength }) => {
    const { ask, origin, ended, seen } = await start({
      changeRequest: { replaceBody: [{ find: 'cat', with: 'dog' }] },
    });
    const body = coded(coding, PAGE);
    const headers = { 'content-encoding': coding, ...(hasLength && { 'content-length': String(body.length) }) };
    expect(await ask('/', { method: 'POST', headers, body })).toMatchObject({ status: 200, isWhole: true });
    const [received] = origin.received;
    expect(decoded(coding, received?.body ?? Buffer.alloc(0))).toBe(DOG);
    expect(received?.headers['content-length']).toBe(String(received?.body.length));
    expect(received?.headers).not.toHaveProperty('transfer-encoding');
    const exchange = await ended();
    expect(exchange).toMatchObject({ state: 'complete', failure: null, rules: [{ problem: null }] });
    expect(seen.body(exchange, 'request')).toBe(body.toString());
    expect(seen.body(exchange, 'sent')).toBe(received?.body.toString());
  });

  it.each(CHANGES)('a response, changed by %s', async (_what, change, text) => {
    const { ask, ended } = await serving('zstd', false, { changeResponse: change });
    expect(decoded('zstd', (await ask('/')).body)).toBe(text);
    expect((await ended()).rules).toMatchObject([{ problem: null }]);
  });

  it.each(CHANGES)('a request, changed by %s', async (_what, change, text) => {
    const { ask, origin, ended } = await start({ changeRequest: change });
    await ask('/', { method: 'POST', headers: { 'content-encoding': 'zstd' }, body: coded('zstd', PAGE) });
    expect(decoded('zstd', origin.received[0]?.body ?? Buffer.alloc(0))).toBe(text);
    expect((await ended()).rules).toMatchObject([{ problem: null }]);
  });

  it.each(Object.keys(CODINGS))('both messages in %s, by a script and the rule before it', async (coding) => {
    const code = `
      function onRequest(request) { request.body += '+script'; }
      function onResponse(response) { response.body += '+script'; }`;
    const change = { replaceBody: [{ find: 'cat', with: 'dog' }] };
    const { ask, origin, ended } = await serving(
      ...([coding, false, { changeRequest: change }, { changeResponse: change }, { script: { code } }] as const),
    );
    const body = coded(coding, 'cat');
    const got = await ask('/', { method: 'POST', headers: { 'content-encoding': coding }, body });
    expect(decoded(coding, origin.received[0]?.body ?? Buffer.alloc(0))).toBe('dog+script');
    expect(decoded(coding, got.body)).toBe(`${DOG}+script`);
    expect(await ended()).toMatchObject({ state: 'complete', failure: null });
  });

  it.each([
    ['a change', [{ changeResponse: { removeHeaders: ['content-encoding'], body: 'plain' } }]],
    [
      'a script',
      [
        {
          script: {
            code:
              "function onResponse(response) { response.headers.remove('content-encoding'); response.body = " +
              "'plain'; }",
          },
        },
      ],
    ],
  ])('a response whose coding %s removes', async (_what, actions) => {
    const { ask } = await serving('gzip', true, ...actions);
    const { headers, body } = await ask('/');
    expect(headers).not.toHaveProperty('content-encoding');
    expect(body.toString()).toBe('plain');
  });

  it.each([
    ['a change', [{ changeRequest: { setHeaders: [['content-encoding', 'br']], body: 'plain' } }]],
    [
      'a script',
      [
        {
          script: {
            code:
              "function onRequest(request) { request.body = 'plain'; request.headers.set('content-encoding', " +
              "'br'); }",
          },
        },
      ],
    ],
  ])('a request whose coding %s replaces', async (_what, actions) => {
    const { ask, origin } = await start(...actions);
    await ask('/', { method: 'POST', headers: { 'content-encoding': 'gzip' }, body: coded('gzip', PAGE) });
    expect(origin.received[0]?.headers).toMatchObject({ 'content-encoding': 'br' });
    expect(decoded('br', origin.received[0]?.body ?? Buffer.alloc(0))).toBe('plain');
  });

  it.each([
    ['dog', [{ changeRequest: { body: 'dog' } }, { changeResponse: { body: 'dog' } }]],
    ['', [{ changeRequest: { body: '' } }, { changeResponse: { body: '' } }]],
    [
      'dog',
      [{ script: { code: `function onRequest(r) { r.body = 'dog'; } function onResponse(r) { r.body = 'dog'; }` } }],
    ],
  ])('keep their trailers, but no digest of the old body: %o', async (text, actions) => {
    const { ask, origin, ended } = await ruleScene(
      pair,
      (response) => {
        response.writeHead(200, { trailer: 'x-sum, digest' });
        response.write('cat');
        response.addTrailers({ 'x-sum': '1', digest: 'md5=x' });
        response.end();
      },
      { do: actions },
    );
    const trailers = { 'x-up': '2', 'content-digest': 'md5=:x:' };
    const got = await ask('/', { method: 'POST', body: 'cat', trailers });
    expect({ ...got, body: got.body.toString() }).toMatchObject({ status: 200, isWhole: true, body: text });
    expect(Object.entries(got.trailers)).toEqual([['x-sum', '1']]);
    expect(got.headers).not.toHaveProperty('content-length');
    const [received] = origin.received;
    expect(received?.body.toString()).toBe(text);
    expect(Object.entries(received?.trailers ?? {})).toEqual([['x-up', '2']]);
    expect(await ended()).toMatchObject({ state: 'complete', failure: null });
  });

  it('a response in gzip in which nothing is found keeps its bytes and framing', async () => {
    const { ask, origin, ended } = await serving(
      ...(['gzip', false, { changeRequest: { replaceBody: [{ find: 'bird', with: 'dog' }] } }] as const),
      { changeResponse: { replaceBody: [{ find: '(b)ird', with: '$1', regex: true }] } },
    );
    // Made by another encoder than ours.
    const body = zlib.gzipSync(PAGE, { level: 1, memLevel: 1 });
    const got = await ask('/', { method: 'POST', headers: { 'content-encoding': 'gzip' }, body });
    expect([origin.received[0]?.body, got.body]).toEqual([body, coded('gzip', PAGE)]);
    expect(got.headers).not.toHaveProperty('content-length');
    expect(await ended()).toMatchObject({ state: 'complete', rules: [{ problem: null }, { problem: null }] });
  });

  it.each([
    ['a 204 that becomes a 200', 204, { status: 200, body: 'new' }],
    ['an empty 200', 200, { body: 'new' }],
  ])('%s gets a body', async (_what, status, change) => {
    const { ask, ended } = await ruleScene(pair, (response) => response.writeHead(status).end(), {
      do: [{ changeResponse: change }],
    });
    const { body, ...got } = await ask('/');
    expect({ ...got, text: body.toString() }).toMatchObject({ status: 200, isWhole: true, text: 'new' });
    expect(await ended()).toMatchObject({ state: 'complete', rules: [{ problem: null }] });
  });

  it.each([
    ['a response to HEAD', 200, 'HEAD'],
    ['a response with 204', 204, 'GET'],
    ['a response with 304', 304, 'GET'],
  ])('%s gets none, and the row reports it', async (what, status, method) => {
    const { ask, ended } = await ruleScene(pair, (response) => response.writeHead(status).end(), {
      do: [{ changeResponse: { body: 'new' } }],
    });
    expect((await ask('/', { method })).body.toString()).toBe('');
    expect((await ended()).rules).toMatchObject([{ problem: `the body is unchanged: ${what} has none` }]);
  });

  const DOES_NOT_FIT: [string, object, string][] = [
    ['a merge patch of a body that is no JSON', { mergeJson: { a: 1 } }, 'it is not JSON'],
    [
      'a regular expression that takes too long',
      { replaceBody: [{ find: '(o+)+$', with: '', regex: true }] },
      'ran for more than 1 s',
    ],
    ['a file that is not there', { bodyFile: '/no/such/file' }, 'no such file'],
  ];
  it.each(DOES_NOT_FIT)('%s leaves the changes of other rules in place', async (_what, bad, why) => {
    const text = `a cat, ${'o'.repeat(60)}!`;
    const around = (name: 'changeRequest' | 'changeResponse') => [
      { name: `${name} before`, do: [{ [name]: { replaceBody: [{ find: 'cat', with: 'dog' }] } }] },
      { name: `${name} bad`, do: [{ [name]: bad }] },
      { name: `${name} after`, do: [{ [name]: { replaceBody: [{ find: '!', with: '?' }] } }] },
      { name: `${name} fields`, do: [{ [name]: { setHeaders: [['x-set', 'yes']] } }] },
    ];
    const rules = [...around('changeRequest'), ...around('changeResponse')];
    const { ask, origin, ended } = await ruleScene(pair, (response) => response.end(text), ...rules);
    const got = await ask('/', { method: 'POST', body: text });
    const wanted = `a dog, ${'o'.repeat(60)}?`;
    expect([origin.received[0]?.body.toString(), got.body.toString()]).toEqual([wanted, wanted]);
    const { state, rules: outcomes } = await ended();
    expect(state).toBe('complete');
    const noted = outcomes.filter(({ problem }) => problem !== null);
    expect(noted.map(({ name }) => name)).toEqual(['changeRequest bad', 'changeResponse bad']);
    for (const { problem } of noted) expect(problem).toMatch(new RegExp(`^the body is unchanged: .*${why}`));
  });

  it.each([
    ['a coding that nobody knows', 'rot13', Buffer.from('png'), 'its content coding is unknown'],
    ['a coding that is not its own', 'gzip', Buffer.from('png'), 'incorrect header check'],
    ['a body that decodes to more than the limit', 'br', coded('br', 'x'.repeat(11 * 1024 * 1024)), ''],
  ])('passes unchanged with %s, and the row reports it', async (_what, coding, bytes, problem) => {
    const change = { replaceBody: [{ find: 'x', with: 'y' }] };
    const { ask, origin, ended } = await ruleScene(
      pair,
      (response, { body }) => response.writeHead(200, { 'content-encoding': coding }).end(body),
      { do: [{ changeRequest: change }, { changeResponse: change }] },
    );
    const got = await ask('/', { method: 'POST', headers: { 'content-encoding': coding }, body: bytes });
    expect(origin.received[0]?.body.equals(bytes)).toBe(true);
    expect(got.body.equals(bytes)).toBe(true);
    const { rules } = await ended();
    expect(rules).toHaveLength(2);
    for (const each of rules) expect(each.problem).toMatch(new RegExp(`^the body is unchanged: .*${problem}`));
  });
});

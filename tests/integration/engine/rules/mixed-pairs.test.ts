import fs from 'node:fs';
import path from 'node:path';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { MIXED_PAIRS } from '../../../support/protocol-pairs.ts';
import { type GivenRule, ruleScene } from '../../../support/rule-scene.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const EVENTS = ['data: cat\n\n', 'data: last cat\n\n'];

/** What rules.test.ts and its neighbours verify with one protocol on both sides. */
describe.each(MIXED_PAIRS)('actions of rules, $client client, $upstream upstream', (pair) => {
  const start = (...rules: GivenRule[]) =>
    ruleScene(
      pair,
      (response, { method, path: where, headers, body, trailers }) => {
        if (where === '/hints') response.writeEarlyHints({ link: '</a.css>; rel=preload' });
        if (where === '/events') {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const event of EVENTS) response.write(event);
        } else if (where === '/trailers') {
          response.writeHead(200, { trailer: 'x-sum' });
          response.write('the cat');
          response.addTrailers({ 'x-sum': '1' });
        } else if (where.startsWith('/status/')) response.writeHead(Number(where.slice(8)));
        else response.writeHead(200, { 'content-type': 'application/json' });
        const isEcho = where.startsWith('/echo') || where === '/hints';
        const echo = { method, where, headers, body: body.toString(), trailers };
        // Node's HTTP/2 sends other bytes for a write that `end('')` follows.
        if (isEcho) response.end(JSON.stringify(echo));
        else response.end();
      },
      ...rules,
    );

  it('answer: inline, from a file in ranges, from a folder, and as recorded in a coding', async () => {
    const folder = temporaryFolder();
    fs.writeFileSync(path.join(folder, 'a b.json'), '{"a":1}');
    const recorded = zlib.zstdCompressSync('recorded');
    const { ask, origin, seen } = await start(
      { when: 'path:/tea', do: [{ answer: { status: 418, headers: [['X-Mock', 'yes']], body: 'short' } }] },
      { when: 'path:/file', do: [{ answer: { file: path.join(folder, 'a b.json') } }] },
      {
        when: 'path:/recorded',
        do: [{ answer: { headers: [['content-encoding', 'zstd']], bodyBase64: recorded.toString('base64') } }],
      },
      { do: [{ answer: { folder } }] },
    );
    const tea = await ask('/tea', { method: 'POST', body: 'leaves' });
    expect(tea).toMatchObject({ status: 418, headers: { 'x-mock': 'yes' }, isWhole: true });
    expect(tea.body.toString()).toBe('short');
    const part = await ask('/file', { headers: { range: 'bytes=1-3' } });
    expect(part).toMatchObject({ status: 206, headers: { 'content-range': 'bytes 1-3/7' }, isWhole: true });
    expect(part.body.toString()).toBe('"a"');
    expect(await ask('/file', { method: 'HEAD' })).toMatchObject({ status: 200, headers: { 'content-length': '7' } });
    expect((await ask('/recorded')).body).toEqual(recorded);
    expect((await ask('/a%20b.json')).body.toString()).toBe('{"a":1}');
    expect(await ask('/none')).toMatchObject({ status: 404 });
    expect(origin.received).toEqual([]);
    expect(seen.all.map(({ state }) => state)).toEqual(Array(6).fill('complete'));
  });

  it('answer: from a file that is gone, with its own failure; the next request passes', async () => {
    const { ask, ended } = await start({ when: 'path:/gone', do: [{ answer: { file: '/no/such/file' } }] });
    expect(await ask('/gone')).toMatchObject({ status: 0, isWhole: false });
    expect(await ended()).toMatchObject({ state: 'failed', failure: { code: 'rules.answer-missing' } });
    expect(await ask('/echo')).toMatchObject({ status: 200 });
  });

  it('answer: with the preflight before it', async () => {
    const { ask, origin } = await start({ when: 'method:PUT', do: [{ answer: { body: 'ok', cors: true } }] });
    const from = { origin: 'https://app.test' };
    const preflight = { ...from, 'access-control-request-method': 'PUT' };
    expect(await ask('/', { method: 'OPTIONS', headers: preflight })).toMatchObject({
      ...{ status: 204, isWhole: true, headers: { 'access-control-allow-methods': 'PUT' } },
    });
    expect(await ask('/', { method: 'PUT', headers: from, body: 'x' })).toMatchObject({
      ...{ status: 200, isWhole: true, headers: { 'access-control-allow-origin': 'https://app.test' } },
    });
    expect(origin.received).toEqual([]);
  });

  it('change request: its line, fields and query; trailers of an unchanged body stay', async () => {
    const { ask, origin, ended } = await start({
      do: [
        {
          changeRequest: {
            ...{ method: 'PUT', replacePath: [{ find: '/v1', with: '/v2' }], setQuery: [['page', '2 3']] },
            ...{ setHeaders: [['X-Set', 'new']], addHeaders: [['X-Add', 'more']], removeHeaders: ['x-drop*'] },
          },
        },
      ],
    });
    const headers = { 'x-drop-1': 'a', 'x-set': 'old' };
    const sent = { method: 'POST', headers, body: 'cat', trailers: { 'x-sum': '1' } };
    expect(await ask('/echo/v1?page=1', sent)).toMatchObject({ status: 200, isWhole: true });
    const [received] = origin.received;
    expect(received).toMatchObject({
      ...{ method: 'PUT', path: '/echo/v2?page=2%203', trailers: { 'x-sum': '1' } },
      headers: { 'x-set': 'new', 'x-add': 'more' },
    });
    expect(received?.body.toString()).toBe('cat');
    expect(received?.headers).not.toHaveProperty('x-drop-1');
    expect(await ended()).toMatchObject({ request: { method: 'POST' }, sent: { method: 'PUT' } });
  });

  it('change response: its fields alone leave trailers, 103, HEAD, 204 and 304 as they are', async () => {
    const { ask, ended } = await start({ do: [{ changeResponse: { setHeaders: [['x-set', 'yes']] } }] });
    const set = { isWhole: true, headers: { 'x-set': 'yes' } };
    const trailing = await ask('/trailers');
    expect(trailing).toMatchObject({ ...set, status: 200, trailers: { 'x-sum': '1' } });
    expect(trailing.body.toString()).toBe('the cat');
    expect(await ask('/hints')).toMatchObject({ ...set, informational: [103] });
    expect(await ask('/echo', { method: 'HEAD' })).toMatchObject({ ...set, status: 200 });
    for (const status of [204, 304]) expect(await ask(`/status/${status}`)).toMatchObject({ ...set, status });
    expect(await ended()).toMatchObject({ state: 'complete' });
  });

  it('delay: of both messages, as separate phases', async () => {
    const { ask, ended } = await start({ do: [{ delay: { ms: 30 } }, { delay: { ms: 20, before: 'response' } }] });
    expect(await ask('/trailers')).toMatchObject({ isWhole: true, trailers: { 'x-sum': '1' } });
    const { timings } = await ended();
    expect(timings.rules).toBeGreaterThanOrEqual(29);
    expect(timings.rulesResponse).toBeGreaterThanOrEqual(19);
  });

  it('throttle: both directions, trailers included', async () => {
    const { ask, ended } = await start({ do: [{ throttle: { downKbps: 2000, upKbps: 2000, rttMs: 10 } }] });
    const body = 'x'.repeat(20_000);
    const got = await ask('/echo', { method: 'POST', body });
    expect(JSON.parse(got.body.toString()).body).toBe(body);
    expect(await ask('/trailers')).toMatchObject({ isWhole: true, trailers: { 'x-sum': '1' } });
    const { timings } = await ended();
    expect(timings.rulesSend).toBeGreaterThan(0);
    expect(timings.rulesResponse).toBeGreaterThan(0);
  });

  it.each(['refuse', 'reset', 'rst-stream', 'goaway'])('fail: %s', async (how) => {
    const { ask, origin, ended } = await start({ do: [{ fail: { how } }] });
    expect(await ask('/echo', { method: 'POST', body: 'x' })).toMatchObject({ status: 0, isWhole: false });
    expect(await ended()).toMatchObject({ state: 'failed', failure: { code: 'rules.failed' } });
    expect(origin.received).toEqual([]);
  });

  it('fail: a black hole, until the client leaves', async () => {
    const { begin, origin, seen, ended } = await start({ do: [{ fail: { how: 'black-hole' } }] });
    const { got, leave } = begin('/echo', { method: 'POST', body: 'x' });
    await expect.poll(() => seen.started).toBe(1);
    leave();
    expect(await got).toMatchObject({ status: 0 });
    expect(await ended()).toMatchObject({ state: 'aborted', failure: { code: 'client.aborted' } });
    expect(origin.received).toEqual([]);
  });

  it.each([
    ['reset-in-response', 3, 'the'],
    ['truncate', 3, 'the'],
    ['truncate', 0, ''],
    ['wrong-length', 2000, 'the cat'],
  ])('fail: %s, %i bytes', async (how, bytes, most) => {
    const { ask, ended } = await start({ do: [{ fail: { how, bytes } }] });
    const { body, isWhole } = await ask('/trailers');
    expect(isWhole).toBe(false);
    expect(most.startsWith(body.toString())).toBe(true);
    expect((await ended()).rules).toMatchObject([{ actions: ['fail'] }]);
  });

  it('script: both messages, and each message of a stream', async () => {
    const code = `
      function onRequest(request) { request.method = 'PUT'; request.body = 'scripted'; }
      function onResponse(response) { response.status = 203; response.headers.set('x-set', 'yes'); }
      function onMessage(message) { if (message.body.startsWith('last')) return 'drop'; message.body += '!'; }`;
    const { ask, ended } = await start({ do: [{ script: { code } }] });
    const got = await ask('/echo', { method: 'POST', body: 'x' });
    expect(got).toMatchObject({ status: 203, isWhole: true, headers: { 'x-set': 'yes' } });
    expect(JSON.parse(got.body.toString())).toMatchObject({ method: 'PUT', body: 'scripted' });
    expect((await ask('/events')).body.toString()).toBe('data: cat!\n\n');
    expect(await ended()).toMatchObject({ state: 'complete', failure: null });
  });

  it('script: one that throws is named, and both messages pass', async () => {
    const code = 'function onRequest() {\n  null.a;\n}';
    const { ask, ended } = await start({ do: [{ script: { code } }] });
    const got = await ask('/echo', { method: 'POST', body: 'x' });
    expect(JSON.parse(got.body.toString())).toMatchObject({ method: 'POST', body: 'x' });
    expect(await ended()).toMatchObject({ state: 'complete', failure: { code: 'rules.script-failed' } });
  });

  it('break: each message of a stream', async () => {
    const { ask, engine, ended } = await start({ do: [{ break: { on: 'messages' } }] });
    const { breaks } = engine;
    breaks.watched = true;
    const response = ask('/events');
    const held = async (text: string) => {
      const waiting = () => breaks.list().map(({ id }) => breaks.get(id));
      const isIt = ({ body }: { body: string | null }) => Buffer.from(body ?? '', 'base64').toString() === text;
      await expect.poll(() => waiting().some(isIt)).toBe(true);
      return waiting().find(isIt)?.id ?? 0;
    };
    const first = await held('cat');
    breaks.write(first, 0, Buffer.from('dog'));
    breaks.release(first, { how: 'message', body: 'written' });
    breaks.release(await held('last cat'), { how: 'abort', status: null });
    expect((await response).body.toString()).toBe('data: dog\n\n');
    expect(await ended()).toMatchObject({ state: 'complete' });
  });

  it('mark: by the response', async () => {
    const { ask, ended } = await start({ when: 'status:204', do: [{ mark: { colour: 'red', note: 'empty' } }] });
    await ask('/status/204');
    expect((await ended()).mark).toEqual({ colour: 'red', note: 'empty' });
  });
});

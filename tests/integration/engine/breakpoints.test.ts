import http2 from 'node:http2';
import { describe, expect, it } from 'vitest';
import type { HeldMessage, Release } from '../../../shared/model/rule/held-message.ts';
import { curl } from '../../support/curl.ts';
import { type Echo, echoOrigin } from '../../support/echo-origin.ts';
import { testEngine } from '../../support/engine.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import { PROTOCOL_PAIRS } from '../../support/protocol-pairs.ts';
import { ruleList } from '../../support/rule-list.ts';

interface Given {
  name?: string;
  when?: string;
  enabled?: boolean;
  limit?: number;
  do: object[];
}

/** An engine with these rules in front of an origin that echoes, and a window that watches the queue. */
async function start(...rules: Given[]) {
  const origin = await echoOrigin();
  const waiting: (() => void)[] = [];
  const onBreaks = () => {
    for (const wake of waiting.splice(0)) wake();
  };
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, {}, { onBreaks });
  const { breaks } = through.engine;
  breaks.watched = true;
  const use = (...list: Given[]) => through.engine.applyRules(ruleList(...list));
  use(...rules);
  /** Resolves when the queue matches. */
  const until = async (fits: () => boolean) => {
    while (!fits()) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const held = async (count = 1): Promise<HeldMessage[]> => {
    await until(() => breaks.list().length === count);
    return breaks.list().map(({ id }) => breaks.get(id));
  };
  const first = async (): Promise<HeldMessage> => {
    const [message] = await held();
    if (!message) throw new Error('nothing is held');
    return message;
  };
  const release = (id: number, how: Release) => breaks.release(id, how);
  const url = (where: string) => `https://localhost:${origin.port}${where}`;
  const get = (where: string, ...args: string[]) =>
    curl(through, '-i', '--suppress-connect-headers', url(where), ...args);
  return { ...through, origin, breaks, use, until, held, first, release, url, get };
}

const bodyOf = (stdout: string) => stdout.slice(stdout.indexOf('\r\n\r\n') + 4);
const textOf = ({ body }: HeldMessage) => Buffer.from(body ?? '', 'base64').toString();

describe.each(PROTOCOL_PAIRS)('breakpoints, $client client, $upstream upstream', (pair) => {
  const { curl: protocol, settings, upstream } = pair;
  const onRequest = { do: [{ break: {} }] };
  const onResponse = { do: [{ break: { on: 'response' } }] };
  const begin = async (...rules: Given[]) => {
    const scene = await start(...rules);
    scene.apply({ upstreamCaFiles: [scene.origin.caPath], ...settings });
    return scene;
  };

  it('holds a request, and releases it unchanged', async () => {
    const { get, first, release, origin, seen } = await begin(onRequest);
    const response = get('/echo?a=1', protocol, '-d', 'pet=cat');
    const message = await first();
    expect(message).toMatchObject({ side: 'request', method: 'POST', status: null, bodyProblem: null });
    expect(message.url).toMatch(/^https:\/\/localhost:\d+\/echo\?a=1$/);
    expect(message.headers.some(([name]) => name.startsWith(':'))).toBe(false);
    expect(textOf(message)).toBe('pet=cat');
    expect(origin.requests).toEqual([]);
    release(message.id, { how: 'continue' });
    const echo: Echo = JSON.parse(bodyOf((await response).stdout));
    expect(echo).toMatchObject({ method: 'POST', url: '/echo?a=1', body: 'pet=cat' });
    const exchange = await seen.ended1();
    expect(exchange).toMatchObject({ state: 'complete', sent: null, rules: [{ actions: ['break'], problem: null }] });
    expect(exchange.upstream?.protocol).toBe(upstream);
    expect(exchange.timings.rules).toBeGreaterThan(0);
    expect(exchange.timings.overheadRequest).toBeLessThanOrEqual(
      exchange.timings.blocked - exchange.timings.rules + 0.001,
    );
  });

  it('sends an edited request: method, URL, fields and body', async () => {
    const { get, first, breaks, release, seen } = await begin(onRequest);
    const response = get('/echo?a=1', protocol, '-d', 'pet=cat', '-H', 'X-Old: 1');
    const { id, url, headers } = await first();
    breaks.write(id, 0, Buffer.from('pet=d'));
    breaks.write(id, 5, Buffer.from('og and cat'));
    const kept = headers.filter(([name]) => name.toLowerCase() !== 'x-old');
    release(id, {
      ...{ how: 'request', method: 'PUT', url: url.replace('?a=1', '?b=é'), body: 'written' },
      headers: [...kept, ['X-New', '2']],
    });
    const echo: Echo = JSON.parse(bodyOf((await response).stdout));
    expect(echo).toMatchObject({ method: 'PUT', url: '/echo?b=%C3%A9', body: 'pet=dog and cat' });
    expect(echo.headers).toMatchObject({ 'x-new': '2', 'content-length': '15' });
    expect(Object.keys(echo.headers)).not.toContain('x-old');
    const exchange = await seen.ended1();
    expect(exchange).toMatchObject({ request: { method: 'POST' }, sent: { method: 'PUT', path: '/echo?b=%C3%A9' } });
  });

  it('answers in place of upstream, or aborts with a status or a reset', async () => {
    const { get, first, breaks, release, origin, seen } = await begin(onRequest);
    const response = get('/a', protocol, '-d', 'x');
    const { id } = await first();
    breaks.write(id, 0, Buffer.from('mine'));
    release(id, { how: 'response', status: 418, headers: [['content-type', 'text/plain']], body: 'written' });
    const { stdout } = await response;
    expect(stdout).toMatch(/^HTTP\/[12](\.1)? 418/);
    expect(bodyOf(stdout)).toBe('mine');
    const refused = get('/b', protocol);
    release((await first()).id, { how: 'abort', status: 503 });
    expect((await refused).stdout).toMatch(/^HTTP\/[12](\.1)? 503/);
    const cut = get('/c', protocol);
    release((await first()).id, { how: 'abort', status: null });
    expect((await cut).exitCode).not.toBe(0);
    expect(await seen.ended1(({ state }) => state === 'failed')).toMatchObject({ failure: { code: 'rules.failed' } });
    expect(origin.requests).toEqual([]);
  });

  it('holds a response and sends it edited, in its own coding', async () => {
    const { get, first, breaks, release, seen } = await begin(onResponse);
    const response = get('/coded/gzip', protocol, '--compressed');
    const message = await first();
    expect(message).toMatchObject({ side: 'response', status: 200, method: 'GET' });
    expect(JSON.parse(textOf(message))).toMatchObject({ animal: 'cat' });
    breaks.write(message.id, 0, Buffer.from('{"animal":"dog"}'));
    release(message.id, { how: 'response', status: 201, headers: message.headers, body: 'written' });
    const { stdout } = await response;
    expect(stdout).toMatch(/^HTTP\/[12](\.1)? 201/);
    expect(stdout.toLowerCase()).toContain('content-encoding: gzip');
    expect(bodyOf(stdout)).toBe('{"animal":"dog"}');
    const exchange = await seen.ended1();
    expect(exchange).toMatchObject({ received: { status: 200 }, response: { status: 201 } });
    expect(exchange.timings.rulesResponse).toBeGreaterThan(0);
  });

  it('keeps chunks and trailers of a response released unchanged, and removes its body with a 204', async () => {
    const { get, first, release } = await begin(onResponse);
    const chunked = get('/chunked', protocol);
    release((await first()).id, { how: 'continue' });
    expect((await chunked).stdout).toContain('the cat and the cat');
    const emptied = get('/echo', protocol);
    const { id, headers } = await first();
    release(id, { how: 'response', status: 204, headers, body: 'kept' });
    const { stdout, exitCode } = await emptied;
    expect([exitCode, bodyOf(stdout)]).toEqual([0, '']);
    const filled = get('/status/204', protocol);
    const bodiless = await first();
    release(bodiless.id, { how: 'response', status: 200, headers: bodiless.headers, body: 'kept' });
    expect(await filled).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^HTTP\/[12](\.1)? 200/) });
  });

  it('holds both messages of an exchange, and counts it once for the limit', async () => {
    const { get, first, release } = await begin({ limit: 1, do: [{ break: { on: 'both' } }] });
    const response = get('/echo', protocol);
    for (const side of ['request', 'response']) {
      const message = await first();
      expect(message.side).toBe(side);
      release(message.id, { how: 'continue' });
    }
    expect((await response).exitCode).toBe(0);
    expect((await get('/echo', protocol)).exitCode).toBe(0);
  });

  it('passes a body that is too large unchanged, and reports it', async () => {
    const { get, first, release, seen } = await begin(onResponse);
    const response = get('/size/1500000', protocol, '-o', '/dev/null', '-w', '%{http_code} %{size_download}');
    const message = await first();
    expect(message).toMatchObject({ body: null, bodyProblem: 'it is larger than 1 MB' });
    release(message.id, { how: 'response', status: 500, headers: message.headers, body: 'kept' });
    expect((await response).stdout).toContain('500 15000');
    expect((await seen.ended1()).response?.body.size).toBe(1_500_000);
    const exchange = await seen.ended1();
    expect(exchange.rules[0]?.problem).toContain('larger than 1 MB');
  });
});

describe('the queue of breakpoints', () => {
  const rule = { name: 'stop', do: [{ break: {} }] };

  it('holds several at once, released in any order', async () => {
    const { get, held, release } = await start(rule);
    const responses = ['/1', '/2', '/3'].map((where) => get(where, '--http1.1'));
    const messages = await held(3);
    const order: string[] = [];
    for (const where of ['/3', '/1', '/2']) {
      const message = messages.find(({ url }) => url.endsWith(where));
      release(message?.id ?? 0, { how: 'continue' });
      order.push(JSON.parse(bodyOf((await responses[Number(where.slice(1)) - 1])?.stdout ?? '')).url);
    }
    expect(order).toEqual(['/3', '/1', '/2']);
  });

  it('releases a message on its own after its time limit', async () => {
    const { get, breaks, seen } = await start({ do: [{ break: { autoContinueMs: 20 } }] });
    const { stdout } = await get('/echo', '--http1.1');
    expect(stdout).toContain('200');
    expect(breaks.list()).toEqual([]);
    expect((await seen.ended1()).timings.rules).toBeGreaterThanOrEqual(15);
  });

  it('releases the messages of a rule that is switched off, removed or in a group that is off', async () => {
    const { get, held, use, until, breaks } = await start(rule);
    for (const list of [[{ ...rule, enabled: false }], [], [{ ...rule, do: [{ delay: { ms: 0 } }] }]]) {
      use(rule);
      const response = get('/echo', '--http1.1');
      await held();
      use({ name: 'other', when: 'path:/none', do: [{ break: {} }] }, ...list);
      expect((await response).stdout).toContain('200');
    }
    await until(() => breaks.list().length === 0);
  });

  it('releases everything when the last window closes, and then holds nothing', async () => {
    const { get, held, breaks, seen } = await start(rule);
    const response = get('/echo', '--http1.1');
    await held();
    breaks.watched = false;
    expect((await response).stdout).toContain('200');
    expect((await get('/echo', '--http1.1')).stdout).toContain('200');
    const last = await seen.ended1(({ rules }) => rules[0]?.problem !== null);
    expect(last.rules[0]?.problem).toBe('not held: no window is open');
  });

  it('reports that the client has left, and keeps the message until it is released', async () => {
    const scene = await start(rule);
    const { held, until, breaks, release, origin, seen } = scene;
    const client = await http2Client(scene, origin.port);
    const stream = client.request({ ':path': '/echo' });
    const response = responseOf(stream);
    const [message] = await held();
    stream.close(http2.constants.NGHTTP2_CANCEL);
    await response;
    await until(() => breaks.list()[0]?.clientLeft === true);
    expect(await seen.ended1()).toMatchObject({ state: 'aborted' });
    release(message?.id ?? 0, { how: 'continue' });
    await until(() => breaks.list().length === 0);
    expect(origin.requests).toEqual([]);
  });

  it('refuses an edit that does not fit a message, and still holds it', async () => {
    const { get, first, release, breaks } = await start(rule);
    const response = get('/echo', '--http2');
    const { id, url, headers } = await first();
    const edit = { how: 'request', method: 'GET', url, headers, body: 'kept' } as const;
    const refused = /can't be sent like this/;
    for (const wrong of [
      { ...edit, url: 'ftp://a/' },
      { ...edit, url: 'nothing' },
      { ...edit, headers: [['connection', 'close']] as [string, string][] },
      { ...edit, headers: [['content-encoding', 'rot13']] as [string, string][], body: 'written' as const },
    ]) {
      expect(() => release(id, wrong)).toThrow(refused);
    }
    expect(() => breaks.write(id, 5, Buffer.from('a'))).toThrow(refused);
    expect(() => breaks.write(id, 0, Buffer.alloc(1024 * 1024 + 1))).toThrow(refused);
    release(id, { how: 'continue' });
    expect((await response).stdout).toContain('200');
    expect(() => release(id, { how: 'continue' })).toThrow(/no longer held/);
    expect(() => breaks.get(id)).toThrow(/no longer held/);
  });

  it('holds the head of a stream, whose body passes', async () => {
    const { get, first, release } = await start({ do: [{ break: { on: 'response' } }] });
    const response = get('/events', '--http1.1');
    const message = await first();
    expect(message).toMatchObject({ body: null, bodyProblem: 'it is a stream' });
    release(message.id, { how: 'continue' });
    expect(bodyOf((await response).stdout)).toBe('data: cat\n\n');
  });
});

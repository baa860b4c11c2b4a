import fs from 'node:fs';
import path from 'node:path';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { RuleListSchema } from '../../../shared/model/rule/rule.ts';
import { curl } from '../../support/curl.ts';
import { type Echo, echoOrigin } from '../../support/echo-origin.ts';
import { testEngine } from '../../support/engine.ts';
import { PROTOCOL_PAIRS } from '../../support/protocol-pairs.ts';
import { ruleList } from '../../support/rule-list.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

interface Given {
  when?: string;
  name?: string;
  limit?: number;
  do: object[];
}

/** An engine with these rules in front of an origin that echoes. */
async function start(...rules: Given[]) {
  const origin = await echoOrigin();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
  const use = (...list: Given[]) => through.engine.applyRules(ruleList(...list));
  use(...rules);
  const url = (where: string) => `https://localhost:${origin.port}${where}`;
  const get = (where: string, ...args: string[]) =>
    curl(through, '-i', '--suppress-connect-headers', url(where), ...args);
  return { ...through, origin, use, url, get, curl: (...args: string[]) => curl(through, ...args) };
}

const bodyOf = (stdout: string) => stdout.slice(stdout.indexOf('\r\n\r\n') + 4);

describe.each([['--http1.1'], ['--http2']])('rules, %s', (protocol) => {
  it('answers in place of upstream', async () => {
    const { get, origin, seen } = await start({
      when: 'path:/tea',
      do: [{ answer: { status: 418, headers: [['x-mock', 'yes']], body: 'short and stout' } }],
    });
    const { stdout } = await get('/tea', protocol, '-d', 'leaves');
    expect(stdout).toMatch(/^HTTP\/[12](\.1)? 418/);
    expect(stdout.toLowerCase()).toContain('x-mock: yes');
    expect(bodyOf(stdout)).toBe('short and stout');
    expect(origin.requests).toEqual([]);
    const exchange = await seen.ended1();
    expect(exchange).toMatchObject({
      ...{ state: 'complete', failure: null, upstream: null, attempts: [] },
      rules: [{ index: 0, name: 'rule 0', actions: ['answer'], problem: null }],
      response: { status: 418, body: { size: 15, complete: true } },
      request: { body: { size: 6, complete: true } },
      timings: { send: -1, wait: -1 },
    });
    expect((await get('/coffee', protocol)).stdout).toMatch(/^HTTP\/[12](\.1)? 200/);
  });

  it('answers from a file, in ranges, and from a folder, but not from outside it', async () => {
    const folder = temporaryFolder();
    fs.mkdirSync(path.join(folder, 'site'));
    fs.writeFileSync(path.join(folder, 'secret'), 'secret');
    fs.writeFileSync(path.join(folder, 'site/a b.json'), '{"a":1}');
    fs.writeFileSync(path.join(folder, 'site/index.html'), '<p>home');
    fs.symlinkSync(path.join(folder, 'secret'), path.join(folder, 'site/link'));
    const { get } = await start(
      { when: 'path:/one', do: [{ answer: { file: path.join(folder, 'site/a b.json') } }] },
      { do: [{ answer: { folder: path.join(folder, 'site') } }] },
    );
    const whole = await get('/one', protocol);
    expect(whole.stdout.toLowerCase()).toContain('content-type: application/json');
    expect(bodyOf(whole.stdout)).toBe('{"a":1}');
    const part = await get('/one', protocol, '-H', 'Range: bytes=1-3');
    expect(part.stdout).toMatch(/^HTTP\/[12](\.1)? 206/);
    expect(part.stdout.toLowerCase()).toContain('content-range: bytes 1-3/7');
    expect(bodyOf(part.stdout)).toBe('"a"');
    const beyond = await get('/one', protocol, '-H', 'Range: bytes=7-');
    expect(beyond.stdout).toMatch(/^HTTP\/[12](\.1)? 416/);
    expect(beyond.stdout.toLowerCase()).toContain('content-range: bytes */7');
    expect(bodyOf(beyond.stdout)).toBe('');
    expect(bodyOf((await get('/a%20b.json', protocol)).stdout)).toBe('{"a":1}');
    expect(bodyOf((await get('/', protocol)).stdout)).toBe('<p>home');
    for (const outside of ['/../secret', '/%2e%2e/secret', '/link', '/none']) {
      expect((await get(outside, protocol, '--path-as-is')).stdout).toMatch(/^HTTP\/[12](\.1)? 404/);
    }
    const head = await get('/one', protocol, '--head');
    expect(head.stdout.toLowerCase()).toContain('content-length: 7');
  });

  it('fails by its own code where the answer file is gone', async () => {
    const { get, seen } = await start({ do: [{ answer: { file: '/no/such/file' } }] });
    expect((await get('/a', protocol)).exitCode).not.toBe(0);
    expect(await seen.ended1()).toMatchObject({ state: 'failed', failure: { code: 'rules.answer-missing' } });
  });

  it('allows pages of other origins to read an answer, and answers their preflights', async () => {
    const { get, origin } = await start({ when: 'method:PUT', do: [{ answer: { body: 'ok', cors: true } }] });
    const from = ['-H', 'Origin: https://app.test'];
    const asks = ['-H', 'Access-Control-Request-Method: PUT', '-H', 'Access-Control-Request-Headers: x-a'];
    const preflight = (await get('/a', protocol, '-X', 'OPTIONS', ...from, ...asks)).stdout.toLowerCase();
    expect(preflight).toMatch(/^http\/[12](\.1)? 204/);
    expect(preflight).toContain('access-control-allow-origin: https://app.test');
    expect(preflight).toContain('access-control-allow-methods: put');
    expect(preflight).toContain('access-control-allow-headers: x-a');
    const { stdout } = await get('/a', protocol, '-X', 'PUT', ...from);
    expect(stdout.toLowerCase()).toContain('access-control-allow-origin: https://app.test');
    expect(origin.requests).toEqual([]);
  });

  it('changes a request: method, path, query, fields and body; the record has both', async () => {
    const { get, seen } = await start({
      do: [
        {
          changeRequest: {
            ...{ method: 'PUT', replacePath: [{ find: '/v1/', with: '/v2/' }] },
            ...{ setQuery: [['page', '2 3']], removeQuery: ['old'] },
            ...{ removeHeaders: ['x-drop*'], setHeaders: [['X-Set', 'new']], addHeaders: [['X-Add', 'more']] },
            ...{ replaceBody: [{ find: '(\\w+)=cat', with: '$1=dog', regex: true }] },
          },
        },
      ],
    });
    const fields = ['-H', 'X-Drop-1: a', '-H', 'X-Set: old', '-H', 'X-Kept: k'];
    const { stdout } = await get('/v1/echo?old=1&keep=%7e&page=1', protocol, '-d', 'pet=cat', ...fields);
    const echo: Echo = JSON.parse(bodyOf(stdout));
    expect(echo).toMatchObject({ method: 'PUT', url: '/v2/echo?keep=%7e&page=2%203', body: 'pet=dog' });
    expect(echo.headers).toMatchObject({ 'x-set': 'new', 'x-add': 'more', 'x-kept': 'k', 'content-length': '7' });
    expect(Object.keys(echo.headers)).not.toContain('x-drop-1');
    const exchange = await seen.ended1();
    expect(exchange.request).toMatchObject({ method: 'POST', path: '/v1/echo?old=1&keep=%7e&page=1' });
    expect(exchange.sent).toMatchObject({ method: 'PUT', path: '/v2/echo?keep=%7e&page=2%203' });
    expect(seen.body(exchange, 'request')).toBe('pet=cat');
  });

  it('adds a body to a request that had none, and removes one', async () => {
    const { get, use } = await start({ do: [{ changeRequest: { method: 'POST', body: 'new body' } }] });
    const added: Echo = JSON.parse(bodyOf((await get('/echo', protocol)).stdout));
    expect(added).toMatchObject({ method: 'POST', body: 'new body', headers: { 'content-length': '8' } });
    use({ do: [{ changeRequest: { body: '' } }] });
    const removed: Echo = JSON.parse(bodyOf((await get('/echo', protocol, '-d', 'some')).stdout));
    expect(removed.body).toBe('');
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'identity'])(
    'edits a JSON response in its own coding: %s',
    async (coding) => {
      const {
        curl: run,
        url,
        seen,
      } = await start({
        when: 'type:json',
        do: [
          { changeResponse: { mergeJson: { animal: 'dog', count: null } } },
          { changeResponse: { patchJson: [{ op: 'add', path: '/list/-', value: 'c' }] } },
        ],
      });
      const decode = coding === 'zstd' || coding === 'identity' ? [] : ['--compressed'];
      const { stdout } = await run('-i', '--suppress-connect-headers', url(`/coded/${coding}`), protocol, ...decode);
      expect(stdout.toLowerCase()).toContain(`content-encoding: ${coding}`);
      const exchange = await seen.ended1();
      expect(exchange).toMatchObject({ state: 'complete', failure: null });
      expect(exchange.rules).toMatchObject([{ problem: null }, { problem: null }]);
      if (coding !== 'zstd') expect(JSON.parse(bodyOf(stdout))).toEqual({ animal: 'dog', list: ['a', 'b', 'c'] });
    },
  );

  it('edits a chunked response, and its trailers stay', async () => {
    const { get, seen } = await start({
      do: [
        {
          changeResponse: {
            status: 203,
            setHeaders: [['x-changed', '1']],
            replaceBody: [{ find: 'cat', with: 'dog' }],
          },
        },
      ],
    });
    const { stdout } = await get('/chunked', protocol);
    expect(stdout).toMatch(/^HTTP\/[12](\.1)? 203/);
    expect(stdout.toLowerCase()).not.toContain('content-length');
    // curl prints the trailers after the body.
    expect(bodyOf(stdout)).toBe('the dog and the dogx-sum: 3\r\n');
    const exchange = await seen.ended1();
    expect(exchange).toMatchObject({ response: { status: 203 }, received: { status: 200 } });
    expect(seen.body(exchange, 'response')).toBe('the dog and the dog');
  });

  it('passes what it does not edit: other events, bodies over the limit, messages without a body', async () => {
    const {
      get,
      curl: run,
      url,
      seen,
    } = await start({
      do: [{ changeResponse: { replaceBody: [{ find: 'x', with: 'y' }] } }],
    });
    const size = 11 * 1024 * 1024;
    const file = path.join(temporaryFolder(), 'large');
    await run(url(`/size/${size}`), protocol, '-o', file);
    expect(fs.readFileSync(file, 'latin1') === 'x'.repeat(size)).toBe(true);
    expect(bodyOf((await get('/events', protocol)).stdout)).toBe('data: cat\n\n');
    for (const status of [204, 304]) expect((await get(`/status/${status}`, protocol)).exitCode).toBe(0);
    expect((await get('/coded/gzip', protocol, '--head')).exitCode).toBe(0);
    const problems = seen.all.map(({ rules }) => rules[0]?.problem);
    expect(problems.slice(0, 2)).toEqual(['the body is unchanged: it is larger than 10 MB', null]);
  });

  it.each([0, 300])('a large request body passes unchanged, and the row reports it; delayed by %i ms', async (ms) => {
    const {
      curl: run,
      url,
      seen,
    } = await start({
      do: [{ changeRequest: { replaceBody: [{ find: 'x', with: 'y' }] } }, { delay: { ms } }],
    });
    const file = path.join(temporaryFolder(), 'large');
    fs.writeFileSync(file, 'x'.repeat(11 * 1024 * 1024));
    await run(url('/echo'), protocol, '--data-binary', `@${file}`, '-o', `${file}.echo`);
    const echo: Echo = JSON.parse(fs.readFileSync(`${file}.echo`, 'utf8'));
    expect(echo.body === fs.readFileSync(file, 'utf8')).toBe(true);
    const [changed] = (await seen.ended1()).rules;
    expect(changed?.problem).toContain('larger than');
  });

  it('maps to another host, port and path; Host follows, or stays', async () => {
    const other = await echoOrigin();
    const { get, use, origin, apply } = await start();
    const host = `localhost:${other.port}`;
    apply({ upstreamCaFiles: [origin.caPath, other.caPath] });
    const to = { host: 'localhost', port: other.port, replacePath: [{ find: '^/a', with: '/echo/a', regex: true }] };
    use({ do: [{ mapTo: to }] });
    const mapped: Echo = JSON.parse(bodyOf((await get('/a?b', protocol, '-d', 'x')).stdout));
    expect(mapped).toMatchObject({ method: 'POST', url: '/echo/a?b', body: 'x' });
    expect(mapped.headers.host ?? mapped.headers[':authority']).toBe(host);
    use({ do: [{ mapTo: { ...to, keepHost: true } }] });
    const kept: Echo = JSON.parse(bodyOf((await get('/a', protocol)).stdout));
    expect(kept.headers.host ?? kept.headers[':authority']).toBe(`localhost:${origin.port}`);
    expect(origin.requests).toEqual([]);
    expect(other.requests).toEqual(['POST /echo/a?b', 'GET /echo/a']);
  });

  it('delays requests and responses; the time has its own phase', async () => {
    const { get, seen } = await start({
      do: [{ delay: { ms: 80 } }, { delay: { ms: 60, before: 'response' } }],
    });
    expect(bodyOf((await get('/chunked', protocol)).stdout)).toMatch(/^the cat and the cat.*x-sum: 3/s);
    const { timings, rules } = await seen.ended1();
    expect(rules.map(({ actions }) => actions)).toEqual([['delay'], ['delay']]);
    expect(timings.rules).toBeGreaterThanOrEqual(79);
    expect(timings.blocked).toBeGreaterThanOrEqual(timings.rules);
    expect(timings.rulesResponse).toBeGreaterThanOrEqual(59);
    expect(timings.receive).toBeGreaterThanOrEqual(timings.rulesResponse);
    expect(timings.overheadRequest).toBeLessThanOrEqual(timings.blocked - timings.rules + 0.01);
    expect(timings.overheadResponse).toBeLessThanOrEqual(timings.receive - timings.rulesResponse + 0.01);
  });

  it.each(['refuse', 'reset', 'rst-stream', 'goaway'])('fails a request: %s', async (how) => {
    const { get, origin, seen } = await start({ name: 'broken', do: [{ fail: { how } }] });
    const { exitCode } = await get('/a', protocol);
    expect(exitCode).toBeGreaterThan(0);
    expect(origin.requests).toEqual([]);
    expect(await seen.ended1()).toMatchObject({
      ...{ state: 'failed', failure: { code: 'rules.failed', message: expect.stringContaining('"broken"') } },
    });
  });

  it('never answers a request in a black hole, and ends when the client leaves', async () => {
    const { get, origin, seen } = await start({ do: [{ fail: { how: 'black-hole' } }] });
    expect((await get('/a', protocol, '-m', '1', '-d', 'body')).exitCode).toBe(28);
    expect(origin.requests).toEqual([]);
    expect(await seen.ended1()).toMatchObject({ state: 'aborted', failure: { code: 'client.aborted' } });
  });

  it.each([
    ['reset-in-response', 5],
    ['truncate', 5],
    ['reset-in-response', 0],
  ])('fails inside a response: %s after %i bytes', async (how, bytes) => {
    const { get, seen } = await start({ do: [{ fail: { how, bytes } }] });
    const { exitCode, stdout } = await get('/size/1000', protocol);
    expect(exitCode).toBeGreaterThan(0);
    expect(bodyOf(stdout).length).toBeLessThanOrEqual(bytes);
    expect(await seen.ended1()).toMatchObject({ state: 'failed', failure: { code: 'rules.failed' } });
  });

  it('announces a wrong length', async () => {
    const { get, seen } = await start({ do: [{ fail: { how: 'wrong-length', bytes: 2000 } }] });
    for (const where of ['/size/1000', '/chunked']) {
      const { exitCode, stdout } = await get(where, protocol);
      expect(exitCode).toBeGreaterThan(0);
      expect(stdout.toLowerCase()).toContain('content-length: 2000');
      expect(bodyOf(stdout).length).toBe(where === '/chunked' ? 19 : 1000);
    }
    expect((await seen.ended1()).rules).toMatchObject([{ actions: ['fail'] }]);
  });

  it('fails the same share of exchanges in each run with a seed', async () => {
    const rule = { do: [{ fail: { how: 'refuse', percent: 50, seed: 7 } }] };
    const { get, use } = await start();
    const runs: number[][] = [];
    for (let run = 0; run < 2; run += 1) {
      use(rule);
      const codes: number[] = [];
      for (let count = 0; count < 10; count += 1) codes.push((await get('/size/1', protocol)).exitCode);
      runs.push(codes);
    }
    expect(runs[0]).toEqual(runs[1]);
    expect(new Set(runs[0]?.map((code) => code === 0)).size).toBe(2);
  });

  it('applies rules in order: others continue, a final one ends the list', async () => {
    const { get, seen } = await start(
      { name: 'one', do: [{ changeRequest: { setHeaders: [['x-a', '1']] } }] },
      { name: 'other path', when: 'path:/no', do: [{ answer: { body: 'no' } }] },
      { name: 'two', do: [{ delay: { ms: 1 } }, { answer: { body: 'two' } }] },
      { name: 'three', do: [{ answer: { body: 'three' } }] },
    );
    expect(bodyOf((await get('/a', protocol)).stdout)).toBe('two');
    expect((await seen.ended1()).rules.map(({ name, actions }) => `${name}: ${actions}`)).toEqual([
      ...['one: changeRequest', 'two: delay', 'two: answer'],
    ]);
  });

  it('does not apply beyond its limit, or if it is off', async () => {
    const { get, engine } = await start({ limit: 2, do: [{ answer: { body: 'mock' } }] });
    const bodies: string[] = [];
    for (let count = 0; count < 3; count += 1) bodies.push(bodyOf((await get('/size/3', protocol)).stdout));
    expect(bodies).toEqual(['mock', 'mock', 'xxx']);
    const off = (rule: object, groupsOff: string[] = []) =>
      engine.applyRules(v.parse(RuleListSchema, { version: 1, groupsOff, rules: [rule] }));
    off({ name: 'a', enabled: false, do: [{ answer: { body: 'mock' } }] });
    expect(bodyOf((await get('/size/3', protocol)).stdout)).toBe('xxx');
    off({ name: 'a', group: 'g', do: [{ answer: { body: 'mock' } }] }, ['g']);
    expect(bodyOf((await get('/size/3', protocol)).stdout)).toBe('xxx');
  });

  it('marks exchanges that ended, by their response and failure too', async () => {
    const { get, seen } = await start(
      { when: 'status:>=400', do: [{ mark: { colour: 'red', note: 'bad' } }] },
      { when: 'path:/status', do: [{ mark: { note: 'looked at' } }] },
    );
    await get('/status/500', protocol);
    expect((await seen.ended1()).mark).toEqual({ colour: 'red', note: 'bad\nlooked at' });
    await get('/size/1', protocol);
    expect((await seen.ended1(({ id }) => id === 2)).mark).toBe(null);
  });
});

describe.each(PROTOCOL_PAIRS)('a change of the response, $client client, $upstream upstream', (pair) => {
  const { curl: protocol, settings, upstream } = pair;
  const DOGS = { replaceBody: [{ find: 'cat', with: 'dog' }], setHeaders: [['x-set', 'yes']] };

  it.each([
    ['a 103 before it', '/hints', [], 200, 'the dog'],
    ['chunks and trailers', '/chunked', [], 200, 'the dog and the dogx-sum: 3\r\n'],
    ['gzip', '/coded/gzip', ['--compressed'], 200, '{"animal":"dog","count":1,"list":["a","b"]}'],
    ['br', '/coded/br', ['--compressed'], 200, '{"animal":"dog","count":1,"list":["a","b"]}'],
    ['a response to HEAD', '/coded/gzip', ['--head'], 200, ''],
    ['a response with 204', '/status/204', [], 204, ''],
    ['a response with 304', '/status/304', [], 304, ''],
  ])('fits %s', async (what, where, args, status, body) => {
    const { apply, get, origin, seen } = await start({ do: [{ changeResponse: DOGS }] });
    apply({ upstreamCaFiles: [origin.caPath], ...settings });
    const { stdout, exitCode } = await get(where, protocol, ...args);
    expect(exitCode).toBe(0);
    const heads = stdout.split('\r\n\r\n');
    const last = heads.at(-2) ?? '';
    expect(last).toMatch(new RegExp(`^HTTP/[12](\\.1)? ${status}`));
    expect(last).toMatch(/^x-set: yes$/im);
    expect(heads.at(-1)).toBe(body);
    expect(heads.filter((head) => / 103/.test(head.split('\r\n')[0] ?? ''))).toHaveLength(where === '/hints' ? 1 : 0);
    const problem = body === '' ? `the body is unchanged: ${what} has none` : null;
    expect(await seen.ended1()).toMatchObject({
      ...{ state: 'complete', failure: null, rules: [{ problem }], upstream: { protocol: upstream } },
    });
  });

  it('stays as it was planned when the rules change in the middle of an exchange', async () => {
    const delay = { ms: 300, before: 'response' };
    const { apply, get, origin, use } = await start({ do: [{ delay }, { changeResponse: DOGS }] });
    apply({ upstreamCaFiles: [origin.caPath], ...settings });
    const first = get('/chunked', protocol);
    await expect.poll(() => origin.requests).toHaveLength(1);
    use();
    expect(bodyOf((await first).stdout)).toContain('the dog');
    expect(bodyOf((await get('/chunked', protocol)).stdout)).toContain('the cat');
  });
});

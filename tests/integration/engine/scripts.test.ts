import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { type Echo, echoOrigin } from '../../support/echo-origin.ts';
import { testEngine } from '../../support/engine.ts';
import { ruleList } from '../../support/rule-list.ts';
import { scriptHost } from '../../support/script-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

async function start(script: object, ...before: object[]) {
  const origin = await echoOrigin();
  const scripts = scriptHost();
  const through = await testEngine({ upstreamCaFiles: [origin.caPath] }, {}, { scripts });
  const rules = [{ name: 'rule', do: [...before, { script }] }];
  through.engine.applyRules(ruleList(...rules));
  const get = (where: string, ...args: string[]) => curl(through, `https://localhost:${origin.port}${where}`, ...args);
  return { ...through, origin, scripts, get };
}

describe.each([['--http1.1'], ['--http2']])('scripts, %s', (protocol) => {
  it('change a request, after the changes of rules', async () => {
    const code = `function onRequest(request) {
      request.method = 'PUT';
      request.url += '&b=2';
      request.headers.set('x-a', request.headers.get('x-set') + '!');
      request.body = request.body.replace('cat', 'dog');
      console.log('body', request.body);
    }`;
    const { get, seen, scripts } = await start({ code }, { changeRequest: { setHeaders: [['x-set', 'yes']] } });
    const echo: Echo = JSON.parse((await get('/echo?a=1', protocol, '-d', 'pet=cat')).stdout);
    expect(echo).toMatchObject({ method: 'PUT', url: '/echo?a=1&b=2', body: 'pet=dog' });
    expect(echo.headers).toMatchObject({ 'x-a': 'yes!', 'content-length': '7' });
    const exchange = await seen.ended1();
    expect(exchange).toMatchObject({ state: 'complete', failure: null, sent: { method: 'PUT' } });
    expect(exchange.rules).toMatchObject([{ actions: ['changeRequest'] }, { actions: ['script'], problem: null }]);
    expect(exchange.timings.rules).toBeGreaterThan(0);
    expect(scripts.lines).toEqual(['rule log body pet=dog']);
  });

  it('answer without upstream, also a request with a body', async () => {
    const code = 'function onRequest() { return { status: 201, headers: { "x-a": "b" }, body: { made: "up" } }; }';
    const { get, origin, seen } = await start({ code });
    expect((await get('/echo', protocol, '-i', '-d', 'x')).stdout).toMatch(/ 201 .*x-a: b.*{"made":"up"}$/is);
    expect(origin.requests).toEqual([]);
    expect(await seen.ended1()).toMatchObject({ state: 'complete', response: { status: 201 } });
  });

  it.each(['gzip', 'br', 'zstd', 'identity'])('change a response in its own coding: %s', async (coding) => {
    const code = `function onResponse(response, request) {
      response.status = 203;
      response.body = { ...response.json(), from: new RegExp('coded').test(request.url) };
    }`;
    const { get, seen } = await start({ code });
    const decode = coding === 'zstd' || coding === 'identity' ? [] : ['--compressed'];
    const { stdout } = await get(`/coded/${coding}`, protocol, '-i', '--suppress-connect-headers', ...decode);
    expect(stdout).toMatch(/^HTTP\/[12](\.1)? 203/);
    if (coding !== 'zstd') expect(stdout).toContain('{"animal":"cat","count":1,"list":["a","b"],"from":true}');
    expect(await seen.ended1()).toMatchObject({ state: 'complete', failure: null, received: { status: 200 } });
  });

  it('see with a response the request as it went upstream, after the changes of rules and scripts', async () => {
    const code = `function onRequest(request) { request.headers.set('x-c', '3'); }
    function onResponse(response, request) {
      const { method, url, headers } = request;
      response.body = { method, path: '/' + url.split('/')[3], b: headers.get('x-b'), c: headers.get('x-c') };
    }`;
    const changeRequest = { method: 'PUT', setHeaders: [['x-b', '2']], replacePath: [{ find: '/old', with: '/echo' }] };
    const { get, seen } = await start({ code }, { changeRequest });
    expect(JSON.parse((await get('/old', protocol)).stdout)).toEqual({ method: 'PUT', path: '/echo', b: '2', c: '3' });
    expect(await seen.ended1()).toMatchObject({ failure: null, request: { path: '/old' }, sent: { path: '/echo' } });
  });

  it('leave everything else unchanged', async () => {
    const { get, seen } = await start({ code: 'function onRequest(r) {} function onResponse(r) {}' });
    expect((await get('/chunked', protocol)).stdout).toBe('the cat and the cat');
    expect(await seen.ended1()).toMatchObject({ state: 'complete', sent: null, received: null });
  });

  it.each([
    ['throws', 'function onRequest() {\n  null.a;\n}', 'line 2'],
    ['loops', 'function onRequest() {\n  for (;;);\n}', 'more than 1 s'],
    ['leaves a field that HTTP/2 has not', 'function onRequest(r) { r.headers.add("a b", "c"); }', 'field'],
    ['throws in the response', 'function onResponse() {\n\n  throw new Error("no");\n}', 'line 3: Error: no'],
  ])('that fail are named, and the message passes unchanged: one that %s', async (_what, code, detail) => {
    const { get, seen, scripts } = await start({ code });
    const echo: Echo = JSON.parse((await get('/echo', protocol, '-d', 'body')).stdout);
    expect(echo.body).toBe('body');
    const { state, failure, rules } = await seen.ended1();
    expect({ state, code: failure?.code }).toEqual({ state: 'complete', code: 'rules.script-failed' });
    expect(failure?.message).toContain(detail);
    expect(rules[0]?.problem).toContain(detail);
    expect(scripts.lines.at(-1)).toMatch(/^rule error /);
  });

  it('let bodies stream past if they do not need them', async () => {
    const code = 'function onResponse(response) { response.headers.set("x-body", String(response.body)); }';
    const { get } = await start({ code, body: false });
    expect((await get('/size/12000000', protocol, '-o', '/dev/null', '-D', '-')).stdout).toMatch(/x-body: null/i);
  });
});

it('names a script that uses too much memory in either message, while other traffic continues', async () => {
  const code = `
    const eat = () => { const all = []; for (;;) all.push(new Uint8Array(4e6)); };
    function onRequest(request) {
      if (request.url.endsWith('/greedy')) eat();
      request.headers.set('x-script', 'ran');
    }
    function onResponse(response, request) {
      if (request.url.endsWith('/greedy-response')) eat();
    }`;
  const { origin, get, seen } = await start({ code }, { changeRequest: { setHeaders: [['x-set', 'yes']] } });
  const asked = ['/greedy', '/echo', '/greedy-response', '/echo', '/greedy', '/echo'];
  const results = await Promise.all(asked.map((path) => get(path, '--http2')));
  expect(results.map(({ exitCode }) => exitCode)).toEqual(asked.map(() => 0));
  for (const path of ['/echo', '/echo'])
    expect(JSON.parse((await get(path)).stdout).headers).toMatchObject({ 'x-set': 'yes', 'x-script': 'ran' });
  expect(origin.requests.filter((each) => each.includes('greedy'))).toHaveLength(3);
  await expect.poll(() => seen.all).toHaveLength(8);
  for (const { state, request, failure, rules } of seen.all) {
    expect(state).toBe('complete');
    if (!request.path.startsWith('/greedy')) expect(failure).toBe(null);
    else expect(failure).toMatchObject({ code: 'rules.script-failed', message: expect.stringContaining('memory') });
    const problems = rules.filter(({ problem }) => problem !== null);
    expect(problems.map(({ name }) => name)).toEqual(request.path.startsWith('/greedy') ? ['rule'] : []);
  }
});

it('names a missing script file', async () => {
  const { get, seen } = await start({ file: path.join(temporaryFolder(), 'none.js') });
  expect((await get('/echo')).exitCode).toBe(0);
  expect((await seen.ended1()).failure).toMatchObject({ code: 'rules.script-failed' });
});

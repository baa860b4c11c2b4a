import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { curl } from '../../support/curl.ts';
import { blocksOf, documentedRules, RULE_PAGES, shownCommands } from '../../support/docs-pages.ts';
import { runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type ExampleScene, exampleScene, openSocket } from './example-scene.ts';

/** Files that the examples name. */
const FILES = { 'answers/user.json': '{"id":1}', 'assets/app.js': 'let a;' };

type Check = (scene: ExampleScene) => Promise<void>;

/** A timer may fire a fraction of a millisecond early. Milliseconds. */
const atLeast = (ms: number) => ms - 1;
const login = (scene: ExampleScene) => scene.get('api.example.com/login', '-d', 'user=ada');

/**
 * Of 60 requests. One curl sends them all: a process for each would take seconds. It repeats a request whose connection
 * it had used before: each gets its own.
 */
async function failuresOf(file: string): Promise<number[]> {
  const scene = await exampleScene(file);
  const each = ['-H', 'Connection: close', '-w', '%{http_code}\n', '-o', '/dev/null'];
  const { stdout } = await curl(scene, scene.url('api.example.com/[1-60]'), ...each);
  const codes = stdout.trimEnd().split('\n');
  expect(codes).toHaveLength(60);
  return codes.flatMap((code, at) => (code === '000' ? [at] : []));
}

/** What the pages say about each of their rules. A rule that is missing here fails the test. */
const PROMISES: Readonly<Record<string, Check>> = {
  'As a file: maintenance': async ({ get, origin }) => {
    const { status, head, body } = await get('api.example.com/orders');
    expect({ status, body }).toEqual({ status: 503, body: '{"error":"maintenance"}' });
    expect(head).toContain('content-type: application/json');
    expect(origin.arrived).toEqual([]);
    expect((await get('www.example.com/orders')).status).toBe(200);
  },
  'As a file: slow images': async ({ get, last }) => {
    expect((await get('www.example.com/a.png')).status).toBe(200);
    expect((await last()).timings.rules).toBeGreaterThanOrEqual(atLeast(500));
    await get('www.example.com/a.txt');
    expect((await last(2)).rules).toEqual([]);
  },
  'A rule: first two logins fail': async (scene) => {
    // Its group is off.
    expect((await login(scene)).status).toBe(200);
    scene.use({ groupsOff: [] });
    const statuses = [await login(scene), await login(scene), await login(scene)].map(({ status }) => status);
    expect(statuses).toEqual([500, 500, 200]);
  },
  'A rule: beta users': async ({ get, origin }) => {
    const variants = [['-b', 'a=1; beta=1'], [], ['-b', 'beta=1', '-H', 'X-Internal: yes']];
    for (const args of variants) await get('www.example.com/home', ...args);
    expect(origin.arrived.map(({ headers }) => headers['x-variant'])).toEqual(['beta', undefined, undefined]);
  },
  'A rule: late errors': async ({ get, last }) => {
    expect((await get('www.example.com/status/503')).status).toBe(503);
    const { rules, timings } = await last();
    expect(rules).toMatchObject([{ name: 'late errors', actions: ['delay'] }]);
    expect(timings.rulesResponse).toBeGreaterThanOrEqual(atLeast(200));
    await get('www.example.com/status/404');
    expect((await last(2)).rules).toEqual([]);
  },
  'A rule: slow': async ({ get, last }) => {
    await get('www.example.com/slow');
    expect((await last()).mark).toEqual({ colour: 'orange', note: 'over a second' });
  },
  'answer (final): user': async ({ get, origin, folder }) => {
    const from = ['-H', 'Origin: https://shop.example.com'];
    const { status, head, body } = await get('api.example.com/api/user', ...from);
    expect({ status, body }).toEqual({ status: 200, body: '{"id":1}' });
    expect(head).toContain('access-control-allow-origin: https://shop.example.com');
    fs.writeFileSync(path.join(folder, 'answers/user.json'), '{"id":2}');
    expect((await get('api.example.com/api/user')).body).toBe('{"id":2}');
    const preflight = ['-X', 'OPTIONS', '-H', 'Access-Control-Request-Method: PUT'];
    expect((await get('api.example.com/api/user', ...from, ...preflight)).head).toContain(
      'access-control-allow-methods',
    );
    expect(origin.arrived).toEqual([]);
  },
  'answer (final): assets': async ({ get, origin }) => {
    const { status, head, body } = await get('cdn.example.com/app.js');
    expect({ status, body }).toEqual({ status: 200, body: 'let a;' });
    expect(head).toMatch(/content-type: text\/javascript/);
    expect((await get('cdn.example.com/none.js')).status).not.toBe(200);
    expect(origin.arrived).toEqual([]);
  },
  'mapTo (final): local API': async ({ get, origin }) => {
    expect((await get('api.example.com/v2/users?a=1')).body).toBe('from the server');
    const host = `localhost:${origin.port}`;
    expect(origin.arrived).toMatchObject([{ url: '/2/users?a=1', headers: { host } }]);
  },
  'changeRequest, changeResponse: any origin': async ({ get }) => {
    const from = ['-H', 'Origin: https://shop.example.com'];
    const allowed = 'access-control-allow-origin: https://shop.example.com';
    expect((await get('fonts.example.com/a', ...from)).head).toContain(allowed);
    expect((await get('fonts.example.com/a')).head).not.toContain('access-control-allow-origin');
    const preflight = ['-X', 'OPTIONS', '-H', 'Access-Control-Request-Method: PUT'];
    const { status, head } = await get('fonts.example.com/status/405', ...from, ...preflight);
    expect({ status, head }).toEqual({ status: 204, head: expect.stringContaining(allowed) });
    expect(head).toContain('access-control-allow-methods: put');
  },
  'changeRequest, changeResponse: as admin': async ({ get, origin }) => {
    await get('api.example.com/users', '-H', 'Authorization: Bearer mine', '-H', 'X-Debug-Level: 9');
    expect(origin.arrived).toMatchObject([{ url: '/users?verbose=1', headers: { authorization: 'Bearer test' } }]);
    expect(origin.arrived[0]?.headers).not.toHaveProperty('x-debug-level');
  },
  'changeRequest, changeResponse: no discount': async ({ get }) => {
    expect(JSON.parse((await get('www.example.com/cart')).body)).toEqual({ items: [{ price: 5 }] });
  },
  'Trailers: unavailable': async ({ get, last }) => {
    expect((await get('api.example.com/shop.Cart/Add')).status).toBe(200);
    expect((await last()).response?.trailers).toEqual(['grpc-status', '14', 'grpc-message', 'try again']);
  },
  'Trailers: no checksum': async ({ get, last }) => {
    expect((await get('files.example.com/checked')).status).toBe(200);
    const { response, received } = await last();
    expect([received?.trailers.length, response?.trailers]).toEqual([4, ['x-other', '2']]);
  },
  'Messages of a stream: price feed': async ({ get }) => {
    const { body } = await get('www.example.com/prices');
    expect(body).toBe('id: 1\ndata: {"price":2,"currency":"EUR"}\n\n');
  },
  'Messages of a stream: chat': async (scene) => {
    const client = await openSocket(scene, 'www.example.com/chat');
    const echoed = new Promise((resolve) => client.once('message', (data) => resolve(String(data))));
    client.send('hello');
    const message = await scene.held();
    expect(message).toMatchObject({ side: 'message', direction: 'to-server' });
    scene.breaks.write(message.id, 0, Buffer.from('edited'));
    scene.breaks.release(message.id, { how: 'message', body: 'written' });
    const answer = await scene.held();
    expect(Buffer.from(answer.body ?? '', 'base64').toString()).toBe('edited');
    scene.breaks.release(answer.id, { how: 'continue' });
    expect(await echoed).toBe('edited');
  },
  'delay: slow search': async ({ get, last }) => {
    expect((await get('www.example.com/search?q=lamp')).status).toBe(200);
    const { rules, timings } = await last();
    expect(rules).toMatchObject([{ name: 'slow search', actions: ['delay'] }]);
    expect(timings.rules).toBeGreaterThanOrEqual(atLeast(300));
    await get('www.example.com/cart');
    expect((await last(2)).rules).toEqual([]);
  },
  'throttle: slow images': async ({ get, last }) => {
    await get('www.example.com/a.png');
    const { rules, timings } = await last();
    expect(rules).toMatchObject([{ name: 'slow images', actions: ['throttle'] }]);
    // Half of the profile's round trip, before the request goes on.
    expect(timings.rules).toBeGreaterThanOrEqual(atLeast(200));
  },
  'throttle: bad radio': async ({ get, last }) => {
    await get('api.example.com/a');
    const { rules, timings } = await last();
    expect(rules).toMatchObject([{ name: 'bad radio', actions: ['throttle'] }]);
    // The profile's round trip is 60 ms, at most 30 shorter.
    expect(timings.rules).toBeGreaterThanOrEqual(atLeast(15));
  },
  'script: token': async ({ get, origin }) => {
    await get('api.example.com/a');
    expect(origin.arrived).toMatchObject([{ url: '/a', headers: { authorization: 'Bearer test' } }]);
  },
  'fail (final): flaky': async () => {
    const file = fileOf('fail (final): flaky');
    const failed = await failuresOf(file);
    // A tenth of 60, as the seed spreads it; the same in each run.
    expect(failed.length).toBeGreaterThan(0);
    expect(failed.length).toBeLessThan(20);
    expect(await failuresOf(file)).toEqual(failed);
  },
  'break: next login': async (scene) => {
    const first = login(scene);
    const request = await scene.held();
    expect(request).toMatchObject({ side: 'request', method: 'POST' });
    scene.breaks.release(request.id, { how: 'continue' });
    const response = await scene.held();
    expect(response).toMatchObject({ side: 'response', status: 200 });
    scene.breaks.release(response.id, { how: 'response', status: 418, headers: [], body: 'kept' });
    expect((await first).status).toBe(418);
    // The limit is one.
    expect((await login(scene)).status).toBe(200);
  },
  'mark: old API': async ({ get, origin, last }) => {
    await get('api.example.com/v1/users');
    expect((await last()).mark).toEqual({ colour: 'blue', note: 'to be replaced' });
    expect(origin.arrived).toMatchObject([{ url: '/v1/users' }]);
    await get('api.example.com/v2/users');
    expect((await last(2)).mark).toBe(null);
  },
};

const RULES = documentedRules();

function fileOf(title: string): string {
  return RULES.find((rule) => rule.title === title)?.file ?? '';
}

describe('the pages about rules', () => {
  it.each(RULES)('$title', async ({ title, file }) => {
    const check = PROMISES[title];
    if (check === undefined) throw new Error(`no expectation for the rule ${title}: add one to PROMISES`);
    await check(await exampleScene(file, FILES));
  });

  it('has each rule that this test expects', () => {
    expect(RULES.map(({ title }) => title).sort()).toEqual(Object.keys(PROMISES).sort());
  });

  it.each(RULE_PAGES.flatMap(shownCommands))('$command', async ({ command, output, files }) => {
    const folder = temporaryFolder();
    for (const [name, text] of Object.entries(files)) fs.writeFileSync(path.join(folder, name), text);
    const [program, ...args] = command.split(' ');
    expect(program).toBe('roundtrip');
    const { stdout, stderr } = await runRoundtrip(args, { folder });
    expect((stdout + stderr).replaceAll(`${folder}${path.sep}`, '')).toBe(output);
  });
});

/** What docs/scripts.md says about each of its scripts, by their first comments. */
const SCRIPTS: Readonly<Record<string, Check>> = {
  'Adds a token, and counts the requests.': async ({ get, origin, scripts }) => {
    await get('api.example.com/v1/users');
    await get('api.example.com/v1/users');
    expect(origin.arrived).toMatchObject(
      Array(2).fill({ url: '/v2/users', headers: { authorization: 'Bearer test' } }),
    );
    expect(scripts.lines[0]).toMatch(/^script log 1 GET http:.*\/v2\/users$/);
  },
  'Answers without the server, and changes JSON responses.': async ({ get, origin, url }) => {
    expect((await get('api.example.com/health')).body).toContain('"ok":true');
    expect(origin.arrived).toEqual([]);
    const where = 'api.example.com/users';
    expect(JSON.parse((await get(where)).body)).toEqual({ name: 'Ada', seenAt: url(where) });
  },
  'Changes the messages of a WebSocket, an event stream or a gRPC call, one by one.': async (scene) => {
    const client = await openSocket(scene, 'www.example.com/chat');
    const received: string[] = [];
    const second = new Promise<void>((resolve) => {
      client.on('message', (data) => received.push(String(data)) === 2 && resolve());
    });
    for (const message of ['5 USD', 'ping', '7 USD']) client.send(message);
    await second;
    expect(received).toEqual(['5 EUR', '7 EUR']);
  },
};

describe('docs/scripts.md', () => {
  const scripts = blocksOf('scripts.md')
    .filter(({ language }) => language === 'js')
    .map(({ text }) => ({ title: text.slice(3, text.indexOf('\n')), code: text }));

  it.each(scripts)('$title', async ({ title, code }) => {
    const check = SCRIPTS[title];
    if (check === undefined) throw new Error(`no expectation for the script ${title}: add one to SCRIPTS`);
    await check(
      await exampleScene(JSON.stringify({ version: 1, rules: [{ name: 'script', do: [{ script: { code } }] }] })),
    );
  });

  it('has each script that this test expects', () => {
    expect(scripts.map(({ title }) => title).sort()).toEqual(Object.keys(SCRIPTS).sort());
  });
});

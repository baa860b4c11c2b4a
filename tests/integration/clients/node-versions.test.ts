import { once } from 'node:events';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocketServer } from 'ws';
import { cachedPackage, NODE_VERSIONS, nodeBinary } from '../../support/cached-packages.ts';
import { type LaunchFolders, launchedEnvironment, launchFolders, runLaunched } from '../../support/launched-client.ts';
import { type LoopbackOrigins, loopbackOrigins } from '../../support/loopback-origins.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** `get` of http and https, and the response's text: used by each script below. */
const START = `const [plain, secure] = process.argv.slice(2);
const get = (url, options = {}) => new Promise((resolve, reject) =>
  require(url.split(':')[0]).get(url, options, (response) => {
    let text = '';
    response.on('data', (piece) => (text += piece)).on('end', () => resolve(text));
  }).on('error', reject));
const print = (promise) => promise.then(
  (text) => console.log([].concat(text).join(' ')),
  (error) => { console.error(error); process.exit(1); });
`;

const versions: [version: string, binary: string | null][] = [
  ...NODE_VERSIONS.map((version): [string, string | null] => [version, nodeBinary(version)]),
  [process.versions.node, process.execPath],
];

/** Node's own: the preloaded module does not change these. */
const FOLLOWS = ['22.21.0', process.versions.node];

let folders: LaunchFolders;

beforeAll(async () => {
  folders = await launchFolders();
  return folders.remove;
});

async function run(
  binary: string | null,
  script: string,
  { through, plain, secure }: LoopbackOrigins,
  more: { env?: Record<string, string>; after?: Record<string, string>; file?: string; args?: string[] } = {},
): Promise<string> {
  const file = path.join(temporaryFolder(), more.file ?? 'script.cjs');
  fs.writeFileSync(file, script);
  const env = await launchedEnvironment(through, folders, more.env);
  return await runLaunched([binary ?? '', file, plain, secure, ...(more.args ?? [])], { ...env, ...more.after });
}

describe.each(versions)('a program on Node %s', (version, binary) => {
  const test = it.skipIf(binary === null);

  test('is captured by http and https, loopback included', async () => {
    const origins = await loopbackOrigins();
    const script =
      `${START}print((async () => [await get(plain + '/a'), await get(secure + '/b'), await get(secure + ` +
      "'/c')])());";
    expect(await run(binary, script, origins)).toBe('path /a path /b path /c\n');
    expect(await origins.captured(3)).toEqual([
      `GET ${origins.plain}/a`,
      `GET ${origins.secure}/b`,
      `GET ${origins.secure}/c`,
    ]);
  });

  test('is captured by fetch, with bodies', async () => {
    const origins = await loopbackOrigins();
    const script = `${START}const text = (url, options) => fetch(url, options).then((response) => response.text());
      print(Promise.all([text(plain + '/a', { method: 'POST', body: 'x'.repeat(100000) }), text(secure + '/b')]));`;
    expect(await run(binary, script, origins)).toBe('path /a path /b\n');
    expect(await origins.captured(2)).toEqual([`GET ${origins.secure}/b`, `POST ${origins.plain}/a`]);
  });

  const hasWebSocket = Number.parseInt(version, 10) >= 22;
  it.skipIf(binary === null || !hasWebSocket)('is captured over WebSocket before any other request', async () => {
    const server = new WebSocketServer({ host: 'localhost', port: 0 });
    await once(server, 'listening');
    onTestFinished(() => server.close());
    server.on('connection', (socket) => socket.close());
    const origins = await loopbackOrigins();
    const url = `localhost:${(server.address() as AddressInfo).port}/socket`;
    const script = `new WebSocket('ws://${url}').onclose = () => console.log('closed');`;
    expect(await run(binary, script, origins)).toBe('closed\n');
    expect(await origins.captured(1)).toEqual([`GET http://${url}`]);
  });

  test('is captured as an ES module, in a worker thread and in a child process', async () => {
    const origins = await loopbackOrigins();
    const script = `import { get } from 'node:http';
      import { spawn } from 'node:child_process';
      import { fileURLToPath } from 'node:url';
      import { isMainThread, Worker } from 'node:worker_threads';
      const [plain, secure, child] = process.argv.slice(2);
      if (child || !isMainThread) await (await fetch(secure + (child || '/worker'))).text();
      else {
        await new Promise((resolve) => get(plain + '/module', (response) => response.resume().on('end', resolve)));
        const file = fileURLToPath(import.meta.url);
        await new Promise((resolve) => new Worker(file, { argv: [plain, secure] }).on('exit', resolve));
        const child = spawn(process.execPath, [file, plain, secure, '/child'], { stdio: 'inherit' });
        await new Promise((resolve) => child.on('exit', resolve));
      }`;
    await run(binary, script, origins, { file: 'script.mjs' });
    const { plain, secure } = origins;
    expect(await origins.captured(3)).toEqual([`GET ${plain}/module`, `GET ${secure}/child`, `GET ${secure}/worker`]);
  });

  test('connects directly to hosts in NO_PROXY', async () => {
    const origins = await loopbackOrigins();
    const both = "[await get(plain + '/a'), await (await fetch(plain + '/b')).text()]";
    const script = `${START}print((async () => ${both})());`;
    const after = { NO_PROXY: 'other.test,localhost', no_proxy: 'other.test,localhost' };
    expect(await run(binary, script, origins, { after })).toBe('path /a path /b\n');
    expect(await origins.captured(0)).toEqual([]);
    expect(origins.reached()).toHaveLength(2);
  });

  test('keeps the agents that it chose itself', async () => {
    const origins = await loopbackOrigins();
    const script = `${START}const agent = new (require('http').Agent)({ keepAlive: false });
      print(get(plain + '/a', { agent }));`;
    expect(await run(binary, script, origins)).toBe('path /a\n');
    expect(await origins.captured(0)).toEqual([]);
  });

  test('keeps its own NODE_OPTIONS', async () => {
    const folder = path.join(temporaryFolder(), 'a "b" c\\d');
    fs.mkdirSync(folder);
    fs.writeFileSync(path.join(folder, 'own.cjs'), 'globalThis.own = 1;');
    const origins = await loopbackOrigins();
    const env = {
      NODE_OPTIONS: `--stack-trace-limit=77 --require "${path.join(folder, 'own.cjs').replace(/[\\"]/g, '\\$&')}"`,
    };
    const script = `${START}print(get(plain + '/a').then((text) => [text, globalThis.own, Error.stackTraceLimit]));`;
    expect(await run(binary, script, origins, { env })).toBe('path /a 1 77\n');
    expect(await origins.captured(1)).toEqual([`GET ${origins.plain}/a`]);
  });

  // As axios 0.27 and needle do. Versions that follow the variables need the proxy's address in NO_PROXY.
  test('connects to its configured proxy without a tunnel', async () => {
    const origins = await loopbackOrigins();
    const script = `${START}const { hostname, port } = new URL(process.env.HTTP_PROXY);
      print(get('http://localhost', { hostname, port, path: plain + '/a', headers: { host: new URL(plain).host } }));`;
    expect(await run(binary, script, origins)).toBe('path /a\n');
    expect(await origins.captured(1)).toEqual([`GET ${origins.plain}/a`]);
  });

  test('sees the failure of its origin', async () => {
    const origins = await loopbackOrigins();
    const script = `${START}print(get('http://localhost:1/').then(() => 'answered', (error) => error.code));`;
    expect(await run(binary, script, origins)).toMatch(/^E/);
  });

  test('is not changed if Node follows the variables itself', async () => {
    const origins = await loopbackOrigins();
    const script = `${START}const { globalAgent } = require('https');
      print(Promise.resolve(String(Object.keys(globalAgent).includes('createConnection'))));`;
    expect(await run(binary, script, origins)).toBe(`${!FOLLOWS.includes(version)}\n`);
  });

  test('is not changed if NODE_USE_ENV_PROXY is off', async () => {
    const origins = await loopbackOrigins();
    const script = `${START}print(get(plain + '/a'));`;
    expect(await run(binary, script, origins, { after: { NODE_USE_ENV_PROXY: '0' } })).toBe('path /a\n');
    expect(await origins.captured(0)).toEqual([]);
  });
});

describe.each([
  ['5.29.0', '18.20.8'],
  ['6.22.0', '20.20.2'],
  ['7.16.0', '20.20.2'],
  ['8.10.0', '22.20.0'],
])('undici %s from npm on Node %s', (undici, version) => {
  const [folder, binary] = [cachedPackage(`undici@${undici}`), nodeBinary(version)];

  it.skipIf(folder === null || binary === null)('is captured, except for its own dispatcher', async () => {
    const origins = await loopbackOrigins();
    const script = `${START}const undici = require(process.argv[4]);
      const text = async (url, options) => (await undici.request(url, options)).body.text();
      print((async () => [
        await text(plain + '/first'),
        await text(secure + '/request', { method: 'POST', body: 'x' }),
        await (await undici.fetch(secure + '/fetch')).text(),
        await (await fetch(secure + '/built-in')).text(),
        await text(plain + '/own', { dispatcher: new undici.Agent() }),
        await undici.getGlobalDispatcher().close(),
      ])());`;
    await run(binary, script, origins, { args: [folder ?? ''] });
    const { plain, secure } = origins;
    expect(await origins.captured(4)).toEqual([
      `GET ${plain}/first`,
      `GET ${secure}/built-in`,
      `GET ${secure}/fetch`,
      `POST ${secure}/request`,
    ]);
    expect(origins.reached()).toContain(`GET ${plain}/own`);
  });
});

import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { callHost } from '../../support/call-host.ts';
import { GIGABYTE, gigabyte, MOST_GROWTH, sizeOf } from '../../support/gigabyte.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { peakMemory } from '../../support/peak-memory.ts';
import { RoundtripCli } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

// A gigabyte takes minutes on a machine that others load.
vi.setConfig({ testTimeout: 900_000 });

/** An origin that counts what it gets, and sends a gigabyte. */
async function start(...actions: object[]) {
  const folder = temporaryFolder();
  const file = path.join(folder, 'rules.json');
  fs.writeFileSync(file, JSON.stringify({ version: 1, rules: [{ name: 'rule', do: actions }] }));
  const received: { size: number; set: unknown }[] = [];
  const server = http.createServer(async (request, response) => {
    received.push({ size: await sizeOf(request), set: request.headers['x-set'] });
    response.writeHead(200, { 'content-length': GIGABYTE });
    gigabyte().pipe(response);
  });
  const port = await listenInTest(server);
  const cli = new RoundtripCli(['serve', '--port', '0', '--json', '--rules', file], { folder });
  const { proxy, ui, pid } = await cli.ready();
  const { hostname, port: proxyPort } = new URL(proxy);
  const exchange = async () => {
    const request = http.request({
      ...{ hostname, port: proxyPort, method: 'POST', agent: false },
      path: `http://127.0.0.1:${port}/`,
    });
    gigabyte().pipe(request);
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    return { size: await sizeOf(response), set: response.headers['x-set'] };
  };
  return { exchange, received, ui, pid };
}

/** A gigabyte passes in each direction with flat memory use, and what `read` takes from its exchange is `expected`. */
async function expectFlatPassage(
  { exchange, received, ui, pid }: Awaited<ReturnType<typeof start>>,
  read: (exchange: Exchange) => unknown,
  expected: unknown,
): Promise<void> {
  const before = peakMemory(pid) ?? 0;
  expect(await exchange()).toEqual({ size: GIGABYTE, set: 'yes' });
  expect(received).toEqual([{ size: GIGABYTE, set: 'yes' }]);
  const { sessions } = (await callHost(ui, 'sessions.list', {})) as { sessions: { id: string }[] };
  const session = sessions[0]?.id ?? '';
  await expect
    .poll(async () => read((await callHost(ui, 'exchanges.get', { session, id: 1 })) as Exchange))
    .toEqual(expected);
  expect((peakMemory(pid) ?? 0) - before).toBeLessThan(MOST_GROWTH);
}

const FIELD = { setHeaders: [['x-set', 'yes']] };
const BODY = { ...FIELD, replaceBody: [{ find: 'x', with: 'y' }] };
const SET = 'headers.set("x-set", "yes")';
const SCRIPT = `function onRequest(request) { request.${SET}; } function onResponse(response) { response.${SET}; }`;
const FAST = { throttle: { downKbps: 10_000_000, upKbps: 10_000_000 } };

it.each([
  ['fields', FIELD, { code: SCRIPT, body: false }, null],
  ['a body that is too large for that', BODY, { code: SCRIPT }, 'the body is unchanged: it is larger than 10 MB'],
])(
  'a gigabyte passes in each direction through rules that change %s, with flat memory use',
  async (_what, change, script, problem) => {
    const others = [
      { delay: { ms: 1 } },
      { script },
      FAST,
      { mark: { note: 'large' } },
      { mapTo: { host: 'localhost' } },
    ];
    const started = await start({ changeRequest: change }, { changeResponse: change }, ...others);
    const read = ({ rules, mark }: Exchange) => ({
      changes: rules.filter(({ actions }) => actions[0]?.startsWith('change')).map((each) => each.problem),
      mark,
    });
    await expectFlatPassage(started, read, { changes: [problem, problem], mark: { note: 'large' } });
  },
);

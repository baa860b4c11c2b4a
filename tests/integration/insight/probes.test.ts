import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionReader } from '../../../electron/session/read/session-reader.ts';
import { splitRequest } from '../../../shared/insight/probes/split-request.ts';
import type { TrailerClient } from '../../../shared/insight/probes/trailer-clients.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { chromiumPath } from '../../support/chromium.ts';
import { hasProgram } from '../../support/has-program.ts';
import { listenInTest } from '../../support/listen-in-test.ts';
import { recordedVisit } from '../../support/recorded-visit.ts';
import { RoundtripCli, runRoundtrip } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { pythonWith } from '../../support/test-python.ts';

interface Origin {
  url: string;
  /** Resolves when the next POST's head has arrived. */
  postArrives(): Promise<void>;
}

/** Sends a trailer with each response. */
async function trailerOrigin(): Promise<Origin> {
  const waiting: (() => void)[] = [];
  const server = http.createServer((request, response) => {
    if (request.method === 'POST') waiting.shift()?.();
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'text/html', trailer: 'x-sum' });
      response.write('<title>sent</title>');
      response.addTrailers({ 'x-sum': '1234' });
      response.end();
    });
  });
  const port = await listenInTest(server);
  // Go sends no request for "localhost" itself to a proxy.
  return {
    url: `http://origin.localhost:${port}/`,
    postArrives: () => new Promise((arrived) => void waiting.push(arrived)),
  };
}

const SEND_ALL = `const { get, request } = require('http');
get(process.argv[1], { headers: { te: 'trailers', 'user-agent': 'node-http' } }, (response) => {
  response.resume().on('end', () => {
    console.log(response.trailers['x-sum']);
    const post = request(process.argv[1], { method: 'POST', headers: { 'user-agent': 'node-http' } });
    post.write('sma');
    post.end('ll');
  });
});`;
const FETCH = `fetch(process.argv[1], { headers: { TE: 'trailers' } }).then((one) => one.text())
  .then(() => fetch(process.argv[1], { method: 'POST', body: 'small' })).then((one) => one.text());`;
const HTTPX = `import httpx, sys
with httpx.Client() as client:
    client.get(sys.argv[1], headers={"TE": "trailers"})
    client.post(sys.argv[1], content=b"small")`;
const CURL = 'curl -sSf -H "TE: trailers" "$0" && curl -sSf -d small "$0"';

interface Client {
  name: string;
  has: boolean;
  command: string[];
  /** Its User-Agent begins so. */
  agent: string;
  /** How many writes a request with a body takes; null: two, which may arrive together. */
  inOnePiece: boolean | null;
}

const python = pythonWith('httpx');
const go = path.resolve('tests/support/clients/probes.go');

const CLIENTS: Client[] = [
  { name: 'curl', has: hasProgram('curl'), command: ['sh', '-c', CURL], agent: 'curl/', inOnePiece: true },
  {
    ...{ name: 'Node: http', has: true, command: [process.execPath, '-e', SEND_ALL] },
    ...{ agent: 'node-http', inOnePiece: true },
  },
  {
    ...{ name: 'Node: fetch', has: true, command: [process.execPath, '-e', FETCH] },
    ...{ agent: 'node', inOnePiece: true },
  },
  {
    ...{ name: 'Python: httpx', has: python !== null, command: [python ?? '', '-c', HTTPX] },
    ...{ agent: 'python-httpx/', inOnePiece: null },
  },
  {
    ...{ name: 'Go: net/http', has: hasProgram('go', 'version'), command: ['go', 'run', go] },
    ...{ agent: 'Go-http-client/', inOnePiece: true },
  },
];

function exchangesOf(session: string): Exchange[] {
  const reader = new SessionReader(session);
  const { rows } = reader.page(0, 100);
  const exchanges = rows.filter(({ kind }) => kind === 'http').map(({ id }) => reader.get(id));
  reader.close();
  return exchanges;
}

async function trailersOf(session: string): Promise<TrailerClient[]> {
  return JSON.parse((await runRoundtrip(['findings', session, '--json'])).stdout).trailers;
}

const NEEDS = 300_000;

describe('the probes', () => {
  for (const { name, has, command, agent, inOnePiece } of CLIENTS)
    it.skipIf(!has)(
      `know what ${name} accepts and got, and how its requests left`,
      async () => {
        const { url } = await trailerOrigin();
        const folder = temporaryFolder();
        const session = path.join(folder, 'session.roundtrip');
        const own = ['--port', '0', '--session', session, '--har', path.join(folder, 'out.har')];
        const { exitCode, stderr } = await runRoundtrip(['record', ...own, '--', ...command, url], {
          folder,
          // Shared: Go compiles its library once for all tests.
          env: { GOCACHE: path.join(os.tmpdir(), 'roundtrip-test-cache/go') },
        });
        expect(exitCode, stderr).toBe(0);
        const [trailers] = await trailersOf(session);
        expect(trailers).toMatchObject({ exchanges: 2, accepting: 1, received: 2, arrived: 2 });
        expect(trailers?.client.startsWith(agent)).toBe(true);
        const splits = exchangesOf(session).flatMap((exchange) => splitRequest(exchange) ?? []);
        expect(splits).toMatchObject([{ segments: 1, ...(inOnePiece === null ? {} : { inOnePiece }) }]);
      },
      NEEDS,
    );

  it.skipIf(chromiumPath() === null)(
    'know that Chromium does not ask for trailers over HTTP/1.1, and gets them',
    async () => {
      const { url } = await trailerOrigin();
      const session = await recordedVisit(async (context) => {
        const page = await context.newPage();
        await page.goto(url);
        await page.evaluate("fetch('/', { method: 'POST', body: 'small' }).then((one) => one.text())");
      });
      const browser = (await trailersOf(session)).find(({ client }) => client.startsWith('Mozilla/'));
      expect(browser).toMatchObject({ accepting: 0 });
      expect(browser?.received).toBeGreaterThanOrEqual(2);
      expect(browser?.arrived).toBe(browser?.received);
      const splits = exchangesOf(session).flatMap((exchange) => splitRequest(exchange) ?? []);
      expect(splits.map(({ segments }) => segments)).toEqual([1]);
    },
    NEEDS,
  );

  it('tell a body that leaves after its head', async () => {
    const { url, postArrives } = await trailerOrigin();
    const folder = temporaryFolder();
    const session = path.join(folder, 'session.roundtrip');
    const own = [
      '--json',
      '--port',
      '0',
      '--ui-port',
      '0',
      '--session',
      session,
      '--har',
      path.join(folder, 'out.har'),
    ];
    const cli = new RoundtripCli(['record', ...own], { folder });
    const { proxy } = await cli.ready();
    const socket = net.connect(Number(new URL(proxy).port), '127.0.0.1');
    const arrives = postArrives();
    socket.write(`POST ${url} HTTP/1.1\r\nHost: origin.localhost\r\nContent-Length: 5\r\nConnection: close\r\n\r\n`);
    await arrives;
    socket.end('small');
    for await (const _piece of socket);
    cli.child.kill('SIGINT');
    await cli.finished;
    const [split] = exchangesOf(session).map(splitRequest);
    expect(split).toMatchObject({ inOnePiece: false, segments: 1 });
    expect(split?.apart).toBeGreaterThan(0);
  });
});

import http from 'node:http';
import { type ClientHttp2Session, connect } from 'node:http2';
import type { Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ReverseStatus } from '../../../shared/model/proxy/reverse.ts';
import { type TestEngine, testEngine } from '../../support/engine.ts';
import { executingHttp2Origin, executingOrigin, type Verdict } from '../../support/executing-origin.ts';
import { http2Client, responseOf } from '../../support/http2-client.ts';
import type { Http2Origin } from '../../support/http2-origin.ts';
import { ruleList } from '../../support/rule-list.ts';
import { openTunnel } from '../../support/tunnel.ts';

/** Requests of each kind; 10,000 in manual runs. */
const REQUESTS = Number(process.env.ROUNDTRIP_REPEATS ?? 300);
const BY_HAND = REQUESTS > 300;
const CONNECTIONS = BY_HAND ? 128 : 16;
/** Milliseconds; a server that hangs before it fails. */
const RESETS_AFTER = BY_HAND ? 3000 : 1;
const METHODS = ['POST', 'PATCH', 'FROBNICATE'];

/** The same sequence in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Send = (method: string, path: string) => Promise<boolean>;

/** Sends each request, `CONNECTIONS` at a time, each from its own client. Returns how many failed. */
async function sendFrom(client: () => Send, methods = METHODS): Promise<number> {
  let next = 0;
  let failed = 0;
  const one = async (send: Send): Promise<void> => {
    while (next < REQUESTS) {
      const path = `/${next}`;
      const method = methods[next % methods.length] ?? 'POST';
      next += 1;
      if (!(await send(method, path))) failed += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => one(client())));
  return failed;
}

/** The same with one client. */
const sendAll = (send: Send): Promise<number> => sendFrom(() => send);

/** An HTTP/2 client that opens a session if it has none, and never repeats a request. */
function http2Sender(open: () => Promise<ClientHttp2Session>): Send {
  let client: Promise<ClientHttp2Session> | null = null;
  return async (method, path) => {
    client ??= open();
    const known = client;
    let session = await known;
    if (session.closed || session.destroyed) {
      // Another request may have opened one meanwhile.
      if (client === known) client = open();
      session = await client;
    }
    const stream = session.request({ ':method': method, ':path': path }, { endStream: method === 'GET' });
    if (method !== 'GET') stream.end('body');
    const { headers, reset } = await responseOf(stream);
    return reset === 0 && Number(headers[':status']) === 200;
  };
}

function directSession({ url, caPem }: Http2Origin): Promise<ClientHttp2Session> {
  const client = connect(url, { ca: caPem });
  client.on('error', () => {});
  onTestFinished(() => client.destroy());
  return Promise.resolve(client);
}

/** `to`: the port of the server, or of the proxy, to which `target` names the server. */
function keepingClient(to: number, port: number, target: (path: string) => string, agent: http.Agent): Send {
  onTestFinished(() => agent.destroy());
  return (method, path) =>
    new Promise((resolve) => {
      const headers = { Host: `127.0.0.1:${port}`, 'Content-Length': '4' };
      const request = http.request({ host: '127.0.0.1', port: to, method, path: target(path), agent, headers });
      request.on('error', () => resolve(false));
      request.on('response', (response) => response.resume().on('end', () => resolve(true)));
      request.end('body');
    });
}

const KEEPING = { keepAlive: true, maxSockets: CONNECTIONS };

/** A client that keeps its connections and never repeats a request. `proxy`: its port, or null for none. */
function keepAliveClient(proxy: number | null, port: number): Send {
  const target = (path: string) => (proxy === null ? path : `http://127.0.0.1:${port}${path}`);
  return keepingClient(proxy ?? port, port, target, new http.Agent(KEEPING));
}

/** The same, each connection in its own tunnel. */
function tunnelClient(through: TestEngine, port: number): Send {
  class Tunnels extends http.Agent {
    override createConnection(_: unknown, done?: (error: Error | null, socket: Socket) => void): undefined {
      void openTunnel(through, `127.0.0.1:${port}`).then((socket) => done?.(null, socket));
    }
  }
  return keepingClient(port, port, (path) => path, new Tunnels(KEEPING));
}

const portOf = (url: string) => Number(new URL(url).port);

/** The whole body is held, and continues as bytes that could be resent. */
const EDITING = ruleList({ do: [{ changeRequest: { replaceBody: [{ find: 'body', with: 'edit' }] } }] });

// RFC 9110, section 9.2.2
describe('a request whose method is not idempotent is executed once, over HTTP/1.1', () => {
  it.each([
    ['close', 'the proxy'],
    ['reset', 'the proxy'],
    ['close', 'a rule that edits its body'],
    ['reset', 'a rule that edits its body'],
    ['close', 'a reverse listener'],
    ['reset', 'a reverse listener'],
    ['close', 'a tunnel'],
    ['reset', 'a tunnel'],
  ] as const)('where the server ends reused connections unanswered (%s), through %s', async (how, way) => {
    const random = seeded(1);
    const verdict: Verdict = (earlier) => (earlier > 0 && random() < 0.3 ? how : 'respond');
    const { port, executions } = await executingOrigin(verdict, RESETS_AFTER);
    const reverse = [{ listen: '0', origin: `http://127.0.0.1:${port}`, keepHost: false }];
    let listening = '';
    const onReverse = ([state]: ReverseStatus[]) => {
      listening = state?.url ?? '';
    };
    const through = await testEngine(way === 'a reverse listener' ? { reverse } : {}, {}, { onReverse });
    if (way === 'a rule that edits its body') through.engine.applyRules(EDITING);
    const plain = () =>
      listening === '' ? keepAliveClient(through.port, port) : keepAliveClient(null, portOf(listening));
    const failed = await sendAll(way === 'a tunnel' ? tunnelClient(through, port) : plain());
    expect(executions.unanswered).toBeGreaterThan(0);
    expect(executions.repeated).toEqual([]);
    expect(executions.requests).toBe(REQUESTS);
    // Its own connection ended as the server ended ours, and no other request failed.
    expect(failed).toBe(executions.unanswered);
  });

  it.each(['the proxy', 'a tunnel'] as const)(
    'where the server closes idle connections at random, with no more failures than without us, through %s',
    async (way) => {
      const origin = (seed: number) => {
        const random = seeded(seed);
        const verdict: Verdict = () => (random() < 0.3 ? 'respond, then close' : 'respond');
        return executingOrigin(verdict);
      };
      const direct = await origin(2);
      const failedDirect = await sendAll(keepAliveClient(null, direct.port));
      const proxied = await origin(2);
      const through = await testEngine();
      const plain = () => keepAliveClient(through.port, proxied.port);
      const failed = await sendAll(way === 'a tunnel' ? tunnelClient(through, proxied.port) : plain());
      if (BY_HAND) console.log(`closed while idle, ${way}: ${failed} of ${REQUESTS} failed, direct ${failedDirect}`);
      expect(proxied.executions.repeated).toEqual([]);
      expect(direct.executions.repeated).toEqual([]);
      // Which requests meet a connection that is closing is chance; a proxy that misjudged them would fail a third of
      // all.
      expect(failed).toBeLessThan(failedDirect + REQUESTS / 10);
    },
  );
});

describe('a server that destroys its HTTP/2 sessions under their requests', () => {
  /** `share`: of the requests, those that destroy their session. */
  const destroying = (share = 0.05) => {
    const random = seeded(3);
    return executingHttp2Origin(() => random() < share);
  };

  it('executes a request whose method is not idempotent once', async () => {
    // They share one session: with many at once, each would fail with one of the others.
    const { origin, executions } = await destroying(0.8 / CONNECTIONS);
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const failed = await sendAll(http2Sender(() => http2Client(through, origin.port)));
    expect(executions.unanswered).toBeGreaterThan(0);
    expect(executions.repeated).toEqual([]);
    expect(failed).toBeLessThan(REQUESTS);
  });

  it.each([
    ['POST, PATCH and unknown methods', METHODS],
    ['GET', ['GET']],
  ])('fails no more requests of several clients than direct: %s', async (_what, methods) => {
    const direct = await destroying();
    const failedDirect = await sendFrom(() => http2Sender(() => directSession(direct.origin)), methods);
    const { origin, executions } = await destroying();
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const failed = await sendFrom(() => http2Sender(() => http2Client(through, origin.port)), methods);
    if (BY_HAND) console.log(`session destroyed: ${failed} of ${REQUESTS} failed, direct ${failedDirect}`);
    expect(direct.executions.unanswered).toBe(failedDirect);
    // A client sends one request at a time, and each session is one client's: the same number is destroyed.
    if (methods === METHODS) expect(failed).toBe(failedDirect);
    else expect(failed).toBeLessThanOrEqual(failedDirect);
    expect(methods === METHODS ? executions.repeated : []).toEqual([]);
  });
});

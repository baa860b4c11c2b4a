import { describe, expect, it } from 'vitest';
import { recordedRequest } from '../../../../electron/commands/services/replay/recorded-request.ts';
import { bodyOf, type ReplayBody } from '../../../../electron/engine/replay/replay-body.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { headerPairs } from '../../../../shared/model/headers.ts';
import { curl } from '../../../support/curl.ts';
import { type TestEngine, testEngine } from '../../../support/engine.ts';
import { http2Origin } from '../../../support/http2-origin.ts';
import { firstRequest } from '../../../support/raw-http2.ts';
import { type RawOrigin, rawOrigin } from '../../../support/raw-origin.ts';
import { ruleList } from '../../../support/rule-list.ts';
import { secureRawOrigin } from '../../../support/secure-raw-origin.ts';
import { openSecureTunnel } from '../../../support/tunnel.ts';

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

/** In place of the recorder's file: what the observer saw. */
function storedBody({ seen }: TestEngine, { id }: Exchange): ReplayBody {
  return bodyOf(Buffer.concat(seen.bodies.get(`${id} request`) ?? []));
}

function recorded({ request, ...exchange }: Exchange): Exchange {
  return { ...exchange, request: { ...request, body: { ...request.body, stored: request.body.size } } };
}

async function resend(through: TestEngine, original: Exchange) {
  const request = recordedRequest(recorded(original), 'session');
  const replay = through.engine.replay(request, storedBody(through, original));
  const result = await replay.ended;
  const exchange = await through.seen.ended1((each) => each.id === replay.exchange);
  return { result, exchange };
}

/** Responds to each request once `last` has arrived, as often as it arrives. */
function respondsTo(last: string) {
  const counts = new WeakMap<object, number>();
  return (socket: { write(text: string): unknown }, received: string): void => {
    const count = received.split(last).length - 1;
    for (let n = counts.get(socket) ?? 0; n < count; n += 1) socket.write(OK);
    counts.set(socket, count);
  };
}

async function whole(origin: Pick<RawOrigin, 'received'>, length: number): Promise<string> {
  await expect.poll(() => origin.received().length).toBeGreaterThanOrEqual(length);
  return origin.received();
}

describe('a replayed exchange', () => {
  it('sends the same bytes over TLS: order, case, duplicates and an odd path', async () => {
    const bytes =
      'POST //a/../b?x=%zz&& HTTP/1.1\r\nhOST: localhost\r\nX-Two: 1\r\nx-two: 2\r\nX-Two: 1\r\n' +
      'Empty:\r\nCONTENT-length: 5\r\nX-Latin: caf\xe9\r\n\r\nabcde';
    const origin = await secureRawOrigin(respondsTo('abcde'));
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await openSecureTunnel(through, origin.port, ['http/1.1']);
    client.write(bytes, 'latin1');
    const original = await through.seen.ended1();
    const { result, exchange } = await resend(through, original);
    expect(await whole(origin, 2 * bytes.length)).toBe(bytes + bytes);
    expect(result).toMatchObject({ status: 200, failure: null, exchange: exchange.id });
    expect(exchange).toMatchObject({
      state: 'complete',
      replayOf: { session: 'session', exchange: original.id },
      request: { headers: original.request.headers, path: original.request.path, body: { size: 5, complete: true } },
      response: { status: 200, body: { size: 2, complete: true } },
    });
    expect(original.replayOf).toBeNull();
    client.destroy();
  });

  it('sends what upstream got from a plain request to the proxy', async () => {
    const origin = await rawOrigin(respondsTo('\r\n\r\n'));
    const through = await testEngine();
    await curl(through, `http://127.0.0.1:${origin.port}/plain?q=1`, '-H', 'Proxy-Connection: keep-alive');
    const original = await through.seen.ended1();
    const first = origin.received();
    expect(first).toMatch(/^GET \/plain\?q=1 HTTP\/1\.1\r\nHost: /);
    await resend(through, original);
    expect(origin.received()).toBe(first + first);
  });

  it('sends a chunked body with its trailers', async () => {
    const head = 'POST /up HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
    const bytes = `${head}5\r\nabcde\r\n0\r\nX-Sum: 5\r\n\r\n`;
    const origin = await secureRawOrigin(respondsTo('X-Sum: 5\r\n\r\n'));
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await openSecureTunnel(through, origin.port, ['http/1.1']);
    client.write(bytes);
    await resend(through, await through.seen.ended1());
    expect(await whole(origin, 2 * bytes.length)).toBe(bytes + bytes);
    client.destroy();
  });

  it('sends the same fields over HTTP/2, on the connection that it keeps', async () => {
    const got: { raw: string[]; body: string }[] = [];
    const origin = await http2Origin((stream, _headers, raw) => {
      const entry = { raw, body: '' };
      got.push(entry);
      stream.on('data', (piece) => {
        entry.body += piece;
      });
      stream.on('end', () => {
        stream.respond({ ':status': 201 });
        stream.end('made');
      });
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    await curl(through, '--http2', `${origin.url}/h2?a=1`, '-d', 'tea', '-H', 'x-b: 2', '-H', 'x-a: 1', '-H', 'x-b: 3');
    const original = await through.seen.ended1();
    const first = await resend(through, original);
    const second = await resend(through, original);
    expect(got.map(({ raw, body }) => ({ raw, body }))).toEqual([got[0], got[0], got[0]]);
    expect(got[0]?.body).toBe('tea');
    expect(first.exchange).toMatchObject({ client: { protocol: 'h2' }, upstream: { protocol: 'h2' } });
    expect(second.exchange.upstream).toMatchObject({ id: first.exchange.upstream?.id, reused: true });
    expect(first.result).toMatchObject({ status: 201 });
  });

  it('sends odd fields over HTTP/2 in their order, with duplicates, empty values and trailers', async () => {
    const got: string[][] = [];
    const origin = await http2Origin((stream, _headers, raw) => {
      const fields = [...raw];
      stream.on('trailers', (_trailers: unknown, _flags: number, last: string[]) => fields.push(...last));
      stream.resume().on('end', () => {
        got.push(fields);
        stream.respond({ ':status': 200 }, { endStream: true });
      });
    });
    const through = await testEngine({ upstreamCaFiles: [origin.caPath] });
    const client = await openSecureTunnel(through, origin.port, ['h2']);
    const fields = [
      ...[':path', '/a//../b?x=%zz&&', ':scheme', 'https', ':method', 'POST', ':authority', `localhost:${origin.port}`],
      ...['x-b', '2', 'cookie', 'a=1', 'x-empty', '', 'cookie', 'b=2', 'x-b', '1', 'x-b', '2'],
    ];
    client.write(firstRequest({ fields: headerPairs(fields), body: 'tea', trailers: [['x-sum', '3']] }));
    await resend(through, await through.seen.ended1());
    const sent = [...fields, 'x-sum', '3'];
    expect(got).toEqual([sent, sent]);
    client.destroy();
  });

  it('reports a failed request as its row does', async () => {
    const origin = await rawOrigin((socket) => socket.destroy());
    const through = await testEngine({ retry: false });
    await curl(through, `http://127.0.0.1:${origin.port}/`);
    const { result, exchange } = await resend(through, await through.seen.ended1());
    expect(result.failure?.code).toBe(exchange.failure?.code);
    expect(result).toMatchObject({ status: 0, failure: { side: 'upstream' } });
  });

  it('is not affected by rules if it is sent without them', async () => {
    const origin = await rawOrigin(respondsTo('\r\n\r\n'));
    const through = await testEngine();
    await curl(through, `http://127.0.0.1:${origin.port}/`);
    const original = await through.seen.ended1();
    const rules = [{ name: 'cut', do: [{ fail: { how: 'reset' } }] }];
    through.engine.applyRules(ruleList(...rules));
    const request = { ...recordedRequest(recorded(original), 's'), rules: false };
    expect(await through.engine.replay(request, bodyOf(Buffer.alloc(0))).ended).toMatchObject({ status: 200 });
    expect((await resend(through, original)).result).toMatchObject({ failure: { code: 'rules.failed' } });
  });

  it('is refused with a sentence if its head and body disagree, or it asks for another protocol', async () => {
    const through = await testEngine();
    const request = {
      ...{ method: 'POST', scheme: 'http' as const, host: '127.0.0.1', port: 1, authority: '127.0.0.1:1', path: '/' },
      ...{ version: 'HTTP/1.1' as const, headers: ['Host', '127.0.0.1:1', 'Content-Length', '3'], trailers: [] },
      ...{ serverName: '', alpn: [], rules: true, route: 'configured' as const, replayOf: null },
    };
    const send = (change: object, body = '') =>
      through.engine.replay({ ...request, ...change }, bodyOf(Buffer.from(body)));
    expect(() => send({}, 'four')).toThrow('declares a body of 3 bytes, and the body has 4');
    expect(() => send({ headers: ['Host', 'a', 'Connection', 'Upgrade', 'Upgrade', 'websocket'] })).toThrow(
      'asks for another protocol',
    );
    expect(() => send({ headers: ['Host', 'a\r\nX: y'] })).toThrow("can't be sent");
    expect(() => send({ headers: ['Host', 'a', 'X', 'a\r\n\r\nGET / HTTP/1.1'] })).toThrow('line break');
    expect(() => send({ path: '/a b' })).toThrow("can't be sent");
    expect(() => send({ headers: ['Host', 'a', 'X', '\u20ac'] })).toThrow('must be encoded');
    expect(() => send({ version: 'HTTP/2.0', headers: [':method', 'GET'] })).toThrow('no :scheme');
    expect(through.seen.started).toBe(0);
  });

  it('waits for a slow upstream while its body is sent, and ends with the engine', async () => {
    const origin = await rawOrigin((socket) => socket.pause());
    const through = await testEngine();
    const size = 256 * 1024 * 1024;
    let given = 0;
    let closed = false;
    const body: ReplayBody = {
      size,
      next: async () => {
        given += 64 * 1024;
        return new Uint8Array(64 * 1024);
      },
      close: () => {
        closed = true;
      },
    };
    const { ended } = through.engine.replay(
      {
        ...{ method: 'POST', scheme: 'http', host: '127.0.0.1', port: origin.port, authority: 'a', path: '/' },
        ...{ version: 'HTTP/1.1', headers: ['Host', 'a', 'Content-Length', String(size)], trailers: [] },
        ...{ serverName: '', alpn: [], rules: true, route: 'direct', replayOf: null },
      },
      body,
    );
    await origin.receives('\r\n\r\n');
    let before = -1;
    // The sockets' buffers take some megabytes; then nothing more is read from the body.
    await expect
      .poll(() => {
        const isStill = given === before;
        before = given;
        return isStill;
      })
      .toBe(true);
    expect(given).toBeLessThan(size / 2);
    await through.engine.close({ graceMs: 0 });
    expect(await ended).toMatchObject({ failure: { code: 'engine.stopped' } });
    expect(closed).toBe(true);
  });
});

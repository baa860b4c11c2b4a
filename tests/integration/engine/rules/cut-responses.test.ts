import { describe, expect, it } from 'vitest';
import { curl } from '../../../support/curl.ts';
import { testEngine } from '../../../support/engine.ts';
import { http2Client, responseOf } from '../../../support/http2-client.ts';
import { PROTOCOL_PAIRS } from '../../../support/protocol-pairs.ts';
import { rawOrigin } from '../../../support/raw-origin.ts';
import { ruleList } from '../../../support/rule-list.ts';
import { ruleScene } from '../../../support/rule-scene.ts';

const HTTP2_CLIENTS = PROTOCOL_PAIRS.filter(({ client }) => client === 'h2');

describe.each(HTTP2_CLIENTS)('responses that rules cut, $client client, $upstream upstream', (pair) => {
  it.each([
    ['truncate', 2],
    ['reset-in-response', 8],
  ])('%s resets its stream with code %i, and the connection goes on', async (how, code) => {
    const { origin, ...through } = await ruleScene(pair, (response) => response.end('the cat'), {
      when: 'path:/cut',
      do: [{ fail: { how, bytes: 3 } }],
    });
    const session = await http2Client(through, origin.port);
    const ask = (path: string) => responseOf(session.request({ ':path': path }));
    // Nothing else is open: the stream must still end on its own.
    expect((await ask('/cut')).reset).toBe(code);
    expect(session.closed || session.destroyed).toBe(false);
    const together = await Promise.all([ask('/cut'), ask('/cut'), ask('/other')]);
    expect(together.map(({ reset }) => reset)).toEqual([code, code, 0]);
    expect(await ask('/')).toMatchObject({ body: 'the cat', reset: 0 });
    expect(session.closed || session.destroyed).toBe(false);
  });

  it.each(['truncate', 'reset-in-response'])('%s delivers the bytes before it, through any window', async (how) => {
    // Node's client has windows of 64 KiB. The edited body is written at once.
    const { origin, ...through } = await ruleScene(pair, (response) => response.end('the cat'), {
      do: [{ changeResponse: { body: 'x'.repeat(600_000) } }, { fail: { how, bytes: 500_000 } }],
    });
    const session = await http2Client(through, origin.port);
    const { body, reset } = await responseOf(session.request({ ':path': '/' }));
    expect([body.length, reset]).toEqual([500_000, how === 'truncate' ? 2 : 8]);
  });
});

it('a body that is cut inside of a chunk ends there, with nothing else in it', async () => {
  const origin = await rawOrigin((socket) => {
    // One chunk in two reads: the second begins in the middle of it.
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${(10).toString(16)}\r\n01234`);
    socket.write('56789\r\n0\r\n\r\n');
  });
  const through = await testEngine();
  const rules = [{ name: 'cut', do: [{ fail: { how: 'truncate', bytes: 8 } }] }];
  through.engine.applyRules(ruleList(...rules));
  const { stdout } = await curl(through, `http://127.0.0.1:${origin.port}/`, '--raw');
  expect(stdout.replace(/\r\n/g, ' ').replace(/[0-9a-f]+ ([0-9]+) ?/g, '$1')).toBe('01234567');
});

it.each(PROTOCOL_PAIRS)('an edited body with trailers is cut too, $client client, $upstream upstream', async (pair) => {
  const { ask, seen, ended } = await ruleScene(
    pair,
    (response) => {
      response.writeHead(200, { trailer: 'x-sum' });
      response.write('cat');
      response.addTrailers({ 'x-sum': '1' });
      response.end();
    },
    { do: [{ changeResponse: { body: 'a dog' } }, { fail: { how: 'truncate', bytes: 3 } }] },
  );
  const { body, isWhole, trailers } = await ask('/');
  expect({ isWhole, trailers: Object.keys(trailers) }).toEqual({ isWhole: false, trailers: [] });
  expect('a d'.startsWith(body.toString())).toBe(true);
  const exchange = await ended();
  expect(exchange).toMatchObject({ state: 'failed', failure: { code: 'rules.failed' } });
  expect(seen.body(exchange, 'response')).toBe('a d');
});

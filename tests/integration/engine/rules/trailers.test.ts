import type http from 'node:http';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { PROTOCOL_PAIRS } from '../../../support/protocol-pairs.ts';
import { type GivenRule, ruleScene } from '../../../support/rule-scene.ts';

/** A response in two writes, in chunks or with a length, with a trailer if there are chunks. */
function respond(response: http.ServerResponse, hasLength = false): void {
  if (hasLength) response.writeHead(200, { 'content-length': '7' });
  else response.writeHead(200, { trailer: 'x-sum, x-old' });
  response.write('the ');
  if (!hasLength) response.addTrailers({ 'x-sum': '1', 'x-old': 'yes' });
  response.end('cat');
}

const CHANGE = {
  removeTrailers: ['x-o*'],
  setTrailers: [['X-Sum', '2']],
  addTrailers: [['X-New', 'new']],
};
const CHANGED = { 'x-sum': '2', 'x-new': 'new' };
const list = (trailers: object) => Object.entries(trailers);

describe.each(PROTOCOL_PAIRS)('trailers that rules change, $client client, $upstream upstream', (pair) => {
  const scene = (hasLength: boolean, ...rules: GivenRule[]) =>
    ruleScene(pair, (response) => respond(response, hasLength), ...rules);

  it.each([
    ['of a body that passes', {}, 'the cat'],
    ['of a body that is edited', { replaceBody: [{ find: 'cat', with: 'dog' }] }, 'the dog'],
  ])('%s, in both directions', async (_what, more, text) => {
    const change = { ...CHANGE, ...more };
    const { ask, origin, ended } = await scene(false, {
      do: [{ changeRequest: change }, { changeResponse: change }],
    });
    const got = await ask('/', { method: 'POST', body: 'the cat', trailers: { 'x-sum': '1', 'x-old': 'yes' } });
    expect({ ...got, body: got.body.toString() }).toMatchObject({ status: 200, isWhole: true, body: text });
    expect(list(got.trailers)).toEqual(list(CHANGED));
    expect(origin.received[0]?.body.toString()).toBe(text);
    expect(list(origin.received[0]?.trailers ?? {})).toEqual(list(CHANGED));
    const { request, sent, received, response, rules, state } = await ended();
    expect({ state, problems: rules.map(({ problem }) => problem) }).toEqual({
      ...{ state: 'complete', problems: [null, null] },
    });
    const lower = (trailers: readonly string[] = []) => trailers.map((each) => each.toLowerCase());
    const were = ['x-sum', '1', 'x-old', 'yes'];
    const are = ['x-sum', '2', 'x-new', 'new'];
    expect([request, sent, received, response].map((message) => lower(message?.trailers))).toEqual([
      ...[were, are, were, are],
    ]);
  });

  it('follow a body that came with a length', async () => {
    const change = { addTrailers: [['x-new', 'new']] };
    const { ask, origin } = await scene(true, { do: [{ changeRequest: change }, { changeResponse: change }] });
    const got = await ask('/', { method: 'POST', headers: { 'content-length': '3' }, body: 'cat' });
    expect(got).toMatchObject({ isWhole: true, trailers: { 'x-new': 'new' } });
    expect(got.body.toString()).toBe('the cat');
    expect(got.headers).not.toHaveProperty('content-length');
    expect(origin.received[0]).toMatchObject({ body: Buffer.from('cat'), trailers: { 'x-new': 'new' } });
    expect(origin.received[0]?.headers).not.toHaveProperty('content-length');
  });

  it('are all removed, and the rest of the body stays', async () => {
    const { ask } = await scene(false, { do: [{ changeResponse: { removeTrailers: ['*'] } }] });
    const got = await ask('/');
    expect({ ...got, body: got.body.toString() }).toMatchObject({ isWhole: true, body: 'the cat', trailers: {} });
    expect(got.headers).not.toHaveProperty('trailer');
  });

  it('are added to an empty answer, and to none of HEAD and 204', async () => {
    const { ask, seen } = await ruleScene(
      pair,
      (response, { path }) => response.writeHead(path === '/204' ? 204 : 200).end(),
      { do: [{ changeResponse: { setTrailers: [['x-new', 'new']] } }] },
    );
    expect(await ask('/')).toMatchObject({ isWhole: true, trailers: { 'x-new': 'new' } });
    expect(await ask('/', { method: 'HEAD' })).toMatchObject({ status: 200, isWhole: true, trailers: {} });
    expect(await ask('/204')).toMatchObject({ status: 204, isWhole: true, trailers: {} });
    const none = 'the trailers are unchanged: they follow a body, and this message has none';
    const problemOf = async (fits: (exchange: Exchange) => boolean) => (await seen.ended1(fits)).rules[0]?.problem;
    expect(await problemOf(({ request }) => request.method === 'HEAD')).toBe(none);
    expect(await problemOf(({ response }) => response?.status === 204)).toBe(none);
    expect(await problemOf(({ response, request }) => response?.status === 200 && request.method === 'GET')).toBe(null);
  });

  it('are not added to a request without a body, and the row reports it', async () => {
    const { ask, origin, ended } = await scene(false, { do: [{ changeRequest: { setTrailers: [['x-new', 'new']] } }] });
    expect(await ask('/')).toMatchObject({ isWhole: true });
    expect(origin.received[0]).toMatchObject({ trailers: {} });
    expect((await ended()).rules).toMatchObject([{ problem: expect.stringContaining('they follow a body') }]);
  });

  it('are changed behind a throttled body and a script', async () => {
    const code = `function onResponse(response) { response.headers.set('x-script', 'ran'); }`;
    const { ask } = await scene(false, {
      do: [
        { throttle: { downKbps: 10_000, upKbps: 10_000, rttMs: 1 } },
        { script: { code, body: false } },
        { changeResponse: CHANGE },
      ],
    });
    const got = await ask('/');
    expect(got).toMatchObject({ isWhole: true, headers: { 'x-script': 'ran' }, trailers: CHANGED });
    expect(got.body.toString()).toBe('the cat');
  });

  it('are changed behind a large body that is not held', async () => {
    const bytes = Buffer.alloc(3_000_000, 'x');
    const { ask, origin } = await ruleScene(
      pair,
      (response) => {
        response.write(bytes);
        response.end(bytes);
      },
      { do: [{ changeRequest: CHANGE }, { changeResponse: CHANGE }] },
    );
    const got = await ask('/', { method: 'POST', body: bytes });
    expect({ isWhole: got.isWhole, length: got.body.length, trailers: got.trailers }).toMatchObject({
      ...{ isWhole: true, length: 6_000_000, trailers: CHANGED },
    });
    expect(origin.received[0]).toMatchObject({ trailers: CHANGED });
    expect(origin.received[0]?.body.equals(bytes)).toBe(true);
  });
});

it('of a gRPC call get another status, and its messages stay streamed', async () => {
  const pair = PROTOCOL_PAIRS[1];
  if (pair === undefined) throw new Error('no pair');
  const { origin, ended, ...through } = await ruleScene(
    pair,
    (response) => {
      response.writeHead(200, { 'content-type': 'application/grpc' });
      response.addTrailers({ 'grpc-status': '0' });
      response.write(message('one'));
      response.end(message('two'));
    },
    { do: [{ changeResponse: { setTrailers: [['grpc-status', '14']], addTrailers: [['grpc-message', 'down']] } }] },
    { do: [{ changeResponse: { replaceBody: [{ find: 'two', with: 'three' }] } }] },
  );
  const got = await through.ask('/svc/Call', { method: 'POST', headers: { 'content-type': 'application/grpc' } });
  expect(got.body.toString()).toBe(message('one') + message('three'));
  expect(got).toMatchObject({ isWhole: true, trailers: { 'grpc-status': '14', 'grpc-message': 'down' } });
  const exchange = await ended();
  expect(exchange.received?.trailers).toEqual(['grpc-status', '0']);
});

/** A gRPC message without compression. */
function message(text: string): string {
  return `\0\0\0\0${String.fromCharCode(text.length)}${text}`;
}

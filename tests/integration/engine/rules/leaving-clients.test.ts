import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { cutOff } from '../../../support/pair-origin.ts';
import { PROTOCOL_PAIRS, pairClient } from '../../../support/protocol-pairs.ts';
import { type GivenRule, ruleScene } from '../../../support/rule-scene.ts';

const DOG = { replaceBody: [{ find: 'cat', with: 'dog' }] };
const BODY = 'the cat and the cat';

describe.each(PROTOCOL_PAIRS)('an exchange that rules hold, $client client, $upstream upstream', (pair) => {
  /** An origin that sends the second half of its response on request; `/whole` has both at once. */
  const start = async (...rules: GivenRule[]) => {
    const halves: ServerResponse[] = [];
    const scene = await ruleScene(
      pair,
      (response, { path }) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        if (path === '/whole') response.end(BODY);
        else halves.push(response);
        if (path !== '/whole') response.write(BODY.slice(0, 7));
      },
      ...rules,
    );
    const half = async () => {
      await expect.poll(() => halves).toHaveLength(1);
      return halves[0] as ServerResponse;
    };
    return { ...scene, half };
  };

  it('ends upstream too when the client leaves during the edit of a response; the next one is edited', async () => {
    const { begin, ask, half, origin, ended } = await start({ do: [{ changeResponse: DOG }] });
    const { got, leave } = begin('/');
    await half();
    leave();
    expect(await got).toMatchObject({ status: 0, isWhole: false });
    expect(await ended()).toMatchObject({ state: 'aborted', failure: { code: 'client.aborted' } });
    await expect.poll(() => origin.cut).toEqual(['GET /']);
    expect((await ask('/whole')).body.toString()).toBe('the dog and the dog');
  });

  it('sends nothing upstream when the client leaves during the edit of its request', async () => {
    const scene = await start({ do: [{ changeRequest: DOG }] });
    const { origin, seen, ended } = scene;
    const { got, leave } = scene.begin('/', { method: 'POST', body: BODY.slice(0, 7) }, true);
    await expect.poll(() => seen.started).toBe(1);
    leave();
    await got;
    expect(await ended()).toMatchObject({ failure: { code: expect.stringMatching(/^client\./) } });
    const next = await pairClient(scene, origin.port, pair);
    await next.ask('/whole', { method: 'POST', body: BODY });
    expect(origin.received.map(({ body }) => body.toString())).toEqual(['the dog and the dog']);
  });

  it.each([
    ['a change', { changeResponse: DOG }],
    ['a script', { script: { code: "function onResponse(response) { response.body += '!'; }" } }],
    ['a breakpoint', { break: { on: 'response' } }],
  ])('fails as without rules when upstream ends in the middle of a body that %s waits for', async (_what, action) => {
    const { begin, half, engine, ended } = await start({ do: [action] });
    engine.breaks.watched = true;
    const { got } = begin('/');
    cutOff(await half());
    expect(await got).toMatchObject({ isWhole: false });
    expect(await ended()).toMatchObject({ state: 'failed', failure: { code: expect.stringMatching(/^upstream\./) } });
    expect(engine.breaks.list()).toEqual([]);
  });

  it.each(['request', 'response'])(
    'keeps a %s at its breakpoint, shows that its client has left, and releases it',
    async (side) => {
      const { begin, origin, engine, ended, ask, use } = await start({ do: [{ break: { on: side } }] });
      const { breaks } = engine;
      breaks.watched = true;
      const { got, leave } = begin('/whole', { method: 'POST', body: BODY });
      await expect.poll(() => breaks.list()).toHaveLength(1);
      leave();
      // Over HTTP/1.1 it may have closed its sending side only: the message is sent, and lost there.
      await expect.poll(() => breaks.list()).toMatchObject([{ clientLeft: true }]);
      breaks.release(breaks.list()[0]?.id ?? 0, { how: 'continue' });
      await expect.poll(() => breaks.list()).toEqual([]);
      await got;
      const { state } = await ended();
      if (pair.client === 'h2') expect(state).toBe('aborted');
      if (pair.client === 'h2') expect(origin.received).toHaveLength(side === 'request' ? 0 : 1);
      use();
      expect(await ask('/whole')).toMatchObject({ status: 200, isWhole: true });
    },
  );

  it('keeps the rules that it began with while its bodies arrive', async () => {
    const { begin, half, ask, use } = await start({ do: [{ changeResponse: DOG }] });
    const { got } = begin('/');
    const response = await half();
    use({ do: [{ answer: { body: 'other rules' } }] });
    response.end(BODY.slice(7));
    expect((await got).body.toString()).toBe('the dog and the dog');
    expect((await ask('/whole')).body.toString()).toBe('other rules');
  });
});

import { describe, expect, it } from 'vitest';
import type { Respond } from '../../../support/pair-origin.ts';
import { PROTOCOL_PAIRS } from '../../../support/protocol-pairs.ts';
import { ruleScene } from '../../../support/rule-scene.ts';

const respond: Respond = (response, { path }) => {
  response.writeHead(200, { 'x-cache': path === '/hit' ? 'HIT' : 'MISS', 'set-cookie': ['a=1; Path=/', 'theme=dark'] });
  response.end(path);
};

describe.each(PROTOCOL_PAIRS)('rules on fields and cookies, $client client, $upstream upstream', (pair) => {
  it('match fields of the request', async () => {
    const when = 'header:"x-debug: on" cookie:session=7';
    const scene = await ruleScene(pair, respond, { when, do: [{ answer: { status: 418 } }] });
    const statusOf = async (headers: Record<string, string>) => (await scene.ask('/a', { headers })).status;
    expect(await statusOf({ 'x-debug': 'ON', cookie: 'a=b; session=7' })).toBe(418);
    expect(await statusOf({ 'x-debug': 'off', cookie: 'session=7' })).toBe(200);
    expect(await statusOf({ 'x-debug': 'on', cookie: 'session=8' })).toBe(200);
    expect(await statusOf({ 'x-debug': 'on' })).toBe(200);
  });

  it('match fields of the response', async () => {
    const change = { changeResponse: { status: 599 } };
    const scene = await ruleScene(pair, respond, { when: 'header:"x-cache: HIT" cookie:theme=dark', do: [change] });
    expect((await scene.ask('/hit')).status).toBe(599);
    expect((await scene.ask('/other')).status).toBe(200);
  });
});

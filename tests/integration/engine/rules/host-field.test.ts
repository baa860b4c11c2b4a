import { describe, expect, it } from 'vitest';
import { curl } from '../../../support/curl.ts';
import { testEngine } from '../../../support/engine.ts';
import { pairOrigin, type Received, type Respond } from '../../../support/pair-origin.ts';
import { PROTOCOL_PAIRS } from '../../../support/protocol-pairs.ts';
import { rawOrigin } from '../../../support/raw-origin.ts';
import { ruleList } from '../../../support/rule-list.ts';
import { ruleScene } from '../../../support/rule-scene.ts';

const respond: Respond = (response) => {
  response.end('ok');
};
const script = (code: string) => ({ script: { code, body: false } });

/** All names by which the request states its host. */
function names({ headers }: Received): unknown[] {
  return [headers[':authority'], headers.host].filter((name) => name !== undefined);
}

describe.each(PROTOCOL_PAIRS)('Host, $client client, $upstream upstream', (pair) => {
  it.each([
    ['set by a rule', { changeRequest: { setHeaders: [['Host', 'app.test']] } }, {}],
    ['set for a client that sends both names', { changeRequest: { setHeaders: [['host', 'app.test']] } }, 'both'],
    ['set by a script', script("function onRequest(request) { request.headers.set('host', 'app.test'); }"), {}],
  ])('is the only name of the request: %s', async (_how, action, sent) => {
    const { ask, origin, ended } = await ruleScene(pair, respond, { do: [action] });
    const own = `localhost:${origin.port}`;
    const headers: Record<string, string> = sent === 'both' ? { host: own } : {};
    expect(await ask('/', { headers })).toMatchObject({ status: 200 });
    const [received] = origin.received;
    expect(received && [...new Set(names(received))]).toEqual(['app.test']);
    expect(await ended()).toMatchObject({ request: { authority: own }, sent: { authority: 'app.test' } });
  });

  it('follows a map, where the client sends both names', async () => {
    const other = await pairOrigin(respond);
    const { ask, origin, apply } = await ruleScene(pair, respond, { do: [{ mapTo: { port: other.port } }] });
    apply({ ...pair.settings, upstreamCaFiles: [origin.caPath, other.caPath] });
    await ask('/', { headers: { host: `localhost:${origin.port}` } });
    const [received] = other.received;
    expect(received && [...new Set(names(received))]).toEqual([`localhost:${other.port}`]);
  });
});

describe('a plain request through an upstream proxy', () => {
  const KEPT = { mapTo: { host: 'other.test', keepHost: true } };
  const SET = { changeRequest: { setHeaders: [['Host', 'other.test']] } };
  it.each([
    ['is mapped, and its Host stays', KEPT, 'other.test', 'app.test'],
    ['goes to its server with another Host', SET, 'app.test', 'other.test'],
  ])('%s', async (_what, action, target, host) => {
    const proxy = await rawOrigin((socket, received) => {
      if (received.endsWith('\r\n\r\n')) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    const through = await testEngine({ upstreamProxy: { enabled: true, url: `http://127.0.0.1:${proxy.port}` } });
    through.engine.applyRules(ruleList({ do: [action] }));
    expect(await curl(through, 'http://app.test/a')).toMatchObject({ stdout: 'ok' });
    expect(proxy.received()).toMatch(new RegExp(`^GET http://${target}/a HTTP/1.1\r\nHost: ${host}\r\n`));
  });
});

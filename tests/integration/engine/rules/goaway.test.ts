import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { http2Client, responseOf } from '../../../support/http2-client.ts';
import { PROTOCOL_PAIRS } from '../../../support/protocol-pairs.ts';
import { ruleScene } from '../../../support/rule-scene.ts';

const HTTP2_CLIENTS = PROTOCOL_PAIRS.filter(({ client }) => client === 'h2');

describe.each(HTTP2_CLIENTS)('fail: goaway, $client client, $upstream upstream', (pair) => {
  it.each([0, 11])('leaves at once with code %i while another request is open', async (code) => {
    let opened: (finish: () => void) => void = () => {};
    const arrived = new Promise<() => void>((resolve) => {
      opened = resolve;
    });
    const { origin, ...through } = await ruleScene(pair, (response) => opened(() => response.end('whole')), {
      when: 'path:/gone',
      do: [{ fail: { how: 'goaway', code } }],
    });
    const session = await http2Client(through, origin.port);
    const other = responseOf(session.request({ ':path': '/open' }));
    const finish = await arrived;
    const gone = responseOf(session.request({ ':path': '/gone' }));
    // It comes before the other request has any response.
    const [received] = await once(session, 'goaway');
    expect(received).toBe(code);
    expect((await gone).headers).toEqual({});
    finish();
    // Node's client drops all its streams at a GOAWAY with an error; at this one it waits for them.
    if (code === 0) expect(await other).toMatchObject({ body: 'whole', reset: 0 });
  });

  it('ends the connection if nothing else is open', async () => {
    const { origin, ...through } = await ruleScene(pair, (response) => response.end('a'), {
      do: [{ fail: { how: 'goaway', code: 11 } }],
    });
    const session = await http2Client(through, origin.port);
    const received = once(session, 'goaway');
    const closed = new Promise((resolve) => session.on('close', resolve));
    await responseOf(session.request({ ':path': '/' }));
    expect((await received)[0]).toBe(11);
    await closed;
  });
});

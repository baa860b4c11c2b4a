import { describe, expect, it } from 'vitest';
import { HeadStart } from '../../../../renderer/platform/head-start.ts';
import { connectInspector } from '../../../../shared/client/connect-inspector.ts';
import type { Transport } from '../../../../shared/client/transport.ts';
import type { Call } from '../../../../shared/contract/envelope.ts';

const SUBSCRIBED = { session: { id: 's1', path: '/s', exchanges: 2, bytes: 9 }, sequence: 4, at: 1 };

/** A host whose replies come as messages, when the test says so. */
class FakeHost implements Transport {
  readonly sent: Call[] = [];
  readonly #messages = new Set<(message: unknown) => void>();
  readonly #connections = new Set<(connected: boolean) => void>();

  send(call: Call): null {
    this.sent.push(call);
    return null;
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#messages.add(listener);
  }

  onConnection(listener: (connected: boolean) => void): void {
    this.#connections.add(listener);
  }

  connect(connected = true): void {
    for (const listener of this.#connections) listener(connected);
  }

  say(message: unknown): void {
    for (const listener of this.#messages) listener(message);
  }

  answer(name: string, value: unknown): void {
    const call = this.sent.find((each) => each.name === name)?.call;
    this.say({ call, ok: true, value });
  }

  named(name: string): Call[] {
    return this.sent.filter((each) => each.name === name);
  }
}

function started() {
  const host = new FakeHost();
  const start = new HeadStart(host);
  host.connect();
  return { host, start };
}

/** A task later: messages that came before the window listened have been delivered. */
function aTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

describe('the head start of a window', () => {
  it('subscribes, and asks for the first rows of the session, before the window asks anything', async () => {
    const { host } = started();
    expect(host.sent[0]).toMatchObject({ name: 'feed.subscribe', input: {} });
    host.answer('feed.subscribe', SUBSCRIBED);
    await aTask();
    expect(host.named('exchanges.rows')).toMatchObject([{ input: { session: 's1', after: null } }]);
    expect(host.named('session.edits')).toMatchObject([{ input: { session: 's1' } }]);
  });

  it('hands an early reply to the window once; after that the host is asked', async () => {
    const { host, start } = started();
    host.answer('feed.subscribe', SUBSCRIBED);
    const api = connectInspector(start, (sentence) => expect.unreachable(sentence));
    expect(await api.request('feed.subscribe', {})).toEqual(SUBSCRIBED);
    expect(host.named('feed.subscribe')).toHaveLength(1);
    void api.request('feed.subscribe', {}).catch(() => null);
    expect(host.named('feed.subscribe')).toHaveLength(2);
  });

  it('hands out a reply that is still on its way', async () => {
    const { host, start } = started();
    const api = connectInspector(start, (sentence) => expect.unreachable(sentence));
    const asked = api.request('feed.subscribe', {});
    host.answer('feed.subscribe', SUBSCRIBED);
    expect(await asked).toEqual(SUBSCRIBED);
    expect(host.named('feed.subscribe')).toHaveLength(1);
  });

  it('passes other calls on', () => {
    const { host, start } = started();
    start.send({ call: 1, name: 'rules.get', input: {} });
    expect(host.named('rules.get')).toEqual([{ call: 1, name: 'rules.get', input: {} }]);
  });

  it('keeps messages until the window listens, and delivers them in order after its first replies', async () => {
    const { host, start } = started();
    const heard: unknown[] = [];
    host.say({ event: 'a', payload: 1 });
    host.answer('feed.subscribe', SUBSCRIBED);
    start.onMessage((message) => heard.push(message));
    void start.send({ call: 1, name: 'feed.subscribe', input: {} })?.then(() => heard.push('reply'));
    host.say({ event: 'b', payload: 2 });
    await aTask();
    host.say({ event: 'c', payload: 3 });
    expect(heard).toEqual([
      'reply',
      { event: 'a', payload: 1 },
      { event: 'b', payload: 2 },
      { event: 'c', payload: 3 },
    ]);
  });

  it('forgets all replies with the connection, and leaves asking to the window', async () => {
    const { host, start } = started();
    host.answer('feed.subscribe', SUBSCRIBED);
    await aTask();
    const asked = start.send({ call: 1, name: 'settings.get', input: {} });
    host.connect(false);
    await expect(asked).rejects.toThrow('reach the host');
    const before = host.sent.length;
    host.connect();
    expect(host.sent).toHaveLength(before);
    expect(start.send({ call: 2, name: 'feed.subscribe', input: {} })).toBeNull();
  });
});

import { expect, test, vi } from 'vitest';
import { callsAhead, TransportAhead } from '../../../../renderer/platform/transport-ahead.ts';
import type { Call } from '../../../../shared/contract/envelope.ts';

const ROWS = { name: 'feed.open', input: { rows: 500 } };
const SETTINGS = { name: 'settings.get', input: {} };

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A transport ahead of its window, over a connection that the test drives. `replies`: what IPC returns. */
function start(replies?: (call: Call) => Promise<unknown>) {
  const sent: Call[] = [];
  let message: (message: unknown) => void = () => {};
  const connections: ((connected: boolean) => void)[] = [];
  const ahead = new TransportAhead(
    {
      send: (call) => {
        sent.push(call);
        return replies?.(call) ?? null;
      },
      onMessage: (listener) => {
        message = listener;
      },
      onConnection: (listener) => {
        connections.push(listener);
        listener(false);
      },
    },
    callsAhead([ROWS, SETTINGS]),
  );
  const connect = (connected: boolean) => {
    for (const listener of connections) listener(connected);
  };
  return { ahead, sent, message: (value: unknown) => message(value), connect };
}

/** A window that listens and asks in one turn, and what it got, in order. */
function windowOf(ahead: TransportAhead, ...questions: { name: string; input: unknown }[]) {
  const got: unknown[] = [];
  ahead.onMessage((message) => got.push(message));
  for (const [index, question] of questions.entries()) {
    const reply = ahead.send({ call: index + 1, ...question });
    // As a window does: the value is used some microtasks later.
    void reply
      ?.then((value) => value)
      .then((value) => value)
      .then(
        (value) => got.push(value),
        (error: Error) => got.push(error.message),
      );
  }
  return got;
}

test('the first questions leave when the connection opens, and are not asked again', async () => {
  const { ahead, sent, message, connect } = start();
  expect(sent).toEqual([]);
  connect(true);
  expect(sent.map(({ name }) => name)).toEqual(['feed.open', 'settings.get']);
  const [rows, settings] = sent.map(({ call }) => call);
  message({ call: rows, ok: true, value: 'rows' });
  const got = windowOf(ahead, SETTINGS, ROWS);
  await settle();
  expect(got).toEqual([{ call: rows, ok: true, value: 'rows' }]);
  message({ call: settings, ok: true, value: 'settings' });
  await settle();
  expect(got.at(-1)).toEqual({ call: settings, ok: true, value: 'settings' });
  expect(sent).toHaveLength(2);
});

test('a question that was not asked ahead, or is asked a second time, goes to the host', async () => {
  const { ahead, sent, connect } = start();
  connect(true);
  windowOf(ahead, ROWS, ROWS, { name: 'feed.open', input: { rows: 1 } });
  expect(sent.slice(2)).toEqual([
    { call: 2, ...ROWS },
    { call: 3, name: 'feed.open', input: { rows: 1 } },
  ]);
  await settle();
  // The window did not ask for the settings in its first turn: they may be old when it does.
  expect(ahead.send({ call: 4, ...SETTINGS })).toBeNull();
});

test('what arrived early is delivered in its order, a reply before the notice that followed it', async () => {
  const { ahead, sent, message, connect } = start();
  connect(true);
  const [rows, settings] = sent.map(({ call }) => call);
  message({ event: 'first' });
  message({ call: settings, value: 'settings' });
  message({ event: 'settings.changed' });
  message({ call: rows, value: 'rows' });
  const got = windowOf(ahead, SETTINGS, ROWS);
  message({ event: 'later' });
  await vi.waitUntil(() => got.length === 5);
  expect(got).toEqual([
    { event: 'first' },
    { call: settings, value: 'settings' },
    { event: 'settings.changed' },
    { call: rows, value: 'rows' },
    { event: 'later' },
  ]);
});

test('after a lost connection, the window asks the host itself', async () => {
  const { ahead, sent, message, connect } = start();
  connect(true);
  const [rows] = sent.map(({ call }) => call);
  message({ call: rows, value: 'of a host that is gone' });
  message({ event: 'of a host that is gone' });
  connect(false);
  connect(true);
  expect(sent).toHaveLength(2);
  const got = windowOf(ahead, ROWS);
  await settle();
  expect(sent.slice(2)).toEqual([{ call: 1, ...ROWS }]);
  expect(got).toEqual([]);
});

test('a connection that is lost before the reply fails the question of a window that waits', async () => {
  const { ahead, connect } = start();
  connect(true);
  const got = windowOf(ahead, ROWS);
  connect(false);
  await settle();
  expect(got).toEqual(['Can’t reach the host.']);
});

test('works with a host that returns its replies, and passes its failure on', async () => {
  const { ahead, sent, connect } = start(async ({ name }) => {
    if (name === 'feed.open') throw new Error('no rows');
    return { ok: true, value: name };
  });
  connect(true);
  await settle();
  expect(sent).toHaveLength(2);
  const got = windowOf(ahead, ROWS, SETTINGS);
  await settle();
  expect(got.sort()).toEqual([{ ok: true, value: 'settings.get' }, 'no rows']);
});

test('a window that is there before the host can be reached asks itself', async () => {
  const { ahead, sent, connect } = start();
  windowOf(ahead);
  await settle();
  connect(true);
  expect(sent).toEqual([]);
  expect(ahead.send({ call: 1, ...ROWS })).toBeNull();
  expect(sent).toEqual([{ call: 1, ...ROWS }]);
});

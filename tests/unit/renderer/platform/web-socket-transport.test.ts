import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocketTransport } from '../../../../renderer/platform/web-socket-transport.ts';

const FIRST = { call: 1_000_000_000, name: 'feed.open', input: { rows: 500 } };
const OTHER = { call: 1, name: 'app.info', input: {} };

/** A socket that the test opens and closes. */
class FakeSocket extends EventTarget {
  static readonly OPEN = 1;
  static made: FakeSocket[] = [];
  readonly address: string;
  readonly sent: unknown[] = [];
  readyState = 0;

  constructor(address: string) {
    super();
    this.address = address;
    FakeSocket.made.push(this);
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.dispatchEvent(new Event('open'));
  }

  close(): void {
    this.readyState = 3;
    this.dispatchEvent(new Event('close'));
  }
}

beforeEach(() => {
  FakeSocket.made = [];
  vi.stubGlobal('WebSocket', FakeSocket);
  vi.useFakeTimers();
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test('the first address carries the first calls, which are then not sent', () => {
  const transport = new WebSocketTransport('ws://host/inspector?token=t', [FIRST]);
  const [socket] = FakeSocket.made;
  expect(JSON.parse(new URL(socket?.address ?? '').searchParams.get('first') ?? '')).toEqual([FIRST]);
  socket?.open();
  expect(transport.send(FIRST)).toBeNull();
  expect(transport.send(OTHER)).toBeNull();
  expect(socket?.sent).toEqual([OTHER]);
  transport.send(FIRST);
  expect(socket?.sent).toEqual([OTHER, FIRST]);
});

test('after a failed attempt, the first calls are sent as any other', async () => {
  const transport = new WebSocketTransport('ws://host/inspector?token=t', [FIRST]);
  FakeSocket.made[0]?.close();
  await expect(transport.send(FIRST)).rejects.toThrow('Can’t reach the host.');
  vi.advanceTimersByTime(250);
  const [, socket] = FakeSocket.made;
  expect(socket?.address).toBe('ws://host/inspector?token=t');
  socket?.open();
  expect(transport.send(FIRST)).toBeNull();
  expect(socket?.sent).toEqual([FIRST]);
});

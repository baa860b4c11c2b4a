import type { Transport } from '../../shared/client/transport.ts';
import type { Call } from '../../shared/contract/envelope.ts';
import { FIRST_CALLS, type Question, sessionCalls } from './first-calls.ts';

/** Numbers of our calls count down from here; those of `connectInspector` count up from 1. */
const LAST_CALL = Number.MAX_SAFE_INTEGER;

/** Two calls that ask the same have the same key. */
function keyOf({ name, input }: Question): string {
  return `${name} ${JSON.stringify(input)}`;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value ? value[name as never] : undefined;
}

/** A call whose reply arrives as a message. */
interface Waiting {
  settle: (reply: unknown) => void;
  fail: (error: Error) => void;
}

/**
 * A transport that makes the first calls as soon as it is connected, while the window's code still loads. The window
 * makes them later, and gets the replies that have arrived. Messages that arrive before the window listens wait for it.
 */
export class HeadStart implements Transport {
  readonly #transport: Transport;
  /** Replies to the first calls, by what was asked. Each is handed out once: the next such call asks the host. */
  readonly #replies = new Map<string, Promise<unknown>>();
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<(message: unknown) => void>();
  /** Messages for a window that does not listen yet; null: it listens. */
  #kept: unknown[] | null = [];
  #calls = 0;
  #asked = false;

  constructor(transport: Transport) {
    this.#transport = transport;
    transport.onMessage((message) => this.#receive(message));
    transport.onConnection((connected) => (connected ? this.#ask() : this.#giveUp()));
  }

  send(call: Call): Promise<unknown> | null {
    const key = keyOf(call);
    const reply = this.#replies.get(key);
    if (reply === undefined) return this.#transport.send(call);
    this.#replies.delete(key);
    return reply.then((early) => Object.assign({}, early, { call: call.call }));
  }

  /** Delivers the messages so far in a later task: the window first processes the replies to its first calls. */
  onMessage(listener: (message: unknown) => void): void {
    this.#listeners.add(listener);
    setTimeout(() => {
      const kept = this.#kept ?? [];
      this.#kept = null;
      for (const message of kept) this.#deliver(message);
    });
  }

  onConnection(listener: (connected: boolean) => void): void {
    this.#transport.onConnection(listener);
  }

  /** Only once: after a lost connection, the window makes the calls itself. */
  #ask(): void {
    if (this.#asked) return;
    this.#asked = true;
    for (const each of FIRST_CALLS) this.#begin(each);
    const subscribed = this.#replies.get(keyOf({ name: 'feed.subscribe', input: {} }));
    void subscribed?.then(
      (reply) => {
        const session = fieldOf(fieldOf(fieldOf(reply, 'value'), 'session'), 'id');
        if (typeof session === 'string') for (const each of sessionCalls(session)) this.#begin(each);
      },
      () => null,
    );
  }

  #begin(asked: Question): void {
    const call = LAST_CALL - this.#calls;
    this.#calls += 1;
    const sent = this.#transport.send({ ...asked, call });
    const reply = sent ?? new Promise((settle, fail) => this.#waiting.set(call, { settle, fail }));
    // The window may never make this call.
    reply.catch(() => null);
    this.#replies.set(keyOf(asked), reply);
  }

  #receive(message: unknown): void {
    const call = Number(fieldOf(message, 'call'));
    const waiting = this.#waiting.get(call);
    if (waiting !== undefined) {
      this.#waiting.delete(call);
      waiting.settle(message);
    } else if (this.#kept !== null) this.#kept.push(message);
    else this.#deliver(message);
  }

  #deliver(message: unknown): void {
    for (const listener of this.#listeners) listener(message);
  }

  /** The connection is lost: earlier replies do not apply to the next host. */
  #giveUp(): void {
    this.#replies.clear();
    for (const { fail } of this.#waiting.values()) fail(new Error('Can’t reach the host.'));
    this.#waiting.clear();
  }
}

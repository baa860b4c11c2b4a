import * as v from 'valibot';
import { InspectorError, NoticeSchema, REFUSALS, type Reply, ReplySchema } from '../contract/envelope.ts';
import { EVENTS, type EventName, type PayloadOf } from '../contract/events.ts';
import type { InspectorApi } from '../contract/inspector-api.ts';
import { type InputOf, type OutputOf, REQUESTS, type RequestName } from '../contract/requests.ts';
import { BAD_ROW, checkedPage } from './salvage-rows.ts';
import type { Transport } from './transport.ts';

/** The error of every request that fails because of the connection, not because the host refuses it. */
const UNREACHABLE = { code: 'window.disconnected', message: 'Can’t reach the host. Is Roundtrip still running?' };

/** A request whose reply will arrive as a message; keyed by its call number. */
interface Waiting {
  settle: (reply: Reply) => void;
  fail: (error: InspectorError) => void;
}

/** Null: it does not match the contract. No response is null. */
function outputOf(name: RequestName, value: unknown): unknown {
  const checked = v.safeParse(REQUESTS[name].output, value);
  return checked.success ? checked.output : null;
}

/** Whether rows of a batch or page, or of the page that a reply carries, were left out. */
function hasBadRows(output: unknown): boolean {
  if (typeof output !== 'object' || output === null) return false;
  return ('badRows' in output && output.badRows !== 0) || ('newest' in output && hasBadRows(output.newest));
}

/**
 * The typed API over a transport. Validates everything that the host sends; reports each invalid message to `onBad` as
 * a sentence and drops it. Requests reject with an `InspectorError` only.
 */
export function connectInspector(transport: Transport, onBad: (sentence: string) => void): InspectorApi {
  return new RemoteInspector(transport, onBad);
}

class RemoteInspector implements InspectorApi {
  readonly #transport: Transport;
  readonly #onBad: (sentence: string) => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Set<(payload: never) => void>>();
  #calls = 0;

  constructor(transport: Transport, onBad: (sentence: string) => void) {
    this.#transport = transport;
    this.#onBad = onBad;
    transport.onMessage((message) => this.#receive(message));
    transport.onConnection((connected) => {
      if (!connected) this.#giveUp();
    });
  }

  async request<N extends RequestName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
    const reply = await this.#exchange(name, input).catch((error: unknown) => {
      throw error instanceof InspectorError ? error : new InspectorError(UNREACHABLE);
    });
    if (!reply.ok) throw new InspectorError(reply.problem);
    const isPage = name === 'exchanges.page' || name === 'exchanges.newest';
    const output = isPage ? checkedPage(reply.value, this.#onBad) : outputOf(name, reply.value);
    if (hasBadRows(output)) this.#onBad(BAD_ROW);
    if (output !== null) return output as OutputOf<N>;
    throw new InspectorError({
      code: REFUSALS.notAMessage,
      message: `The host sent an invalid response to ${name}.`,
    });
  }

  on<E extends EventName>(event: E, listener: (payload: PayloadOf<E>) => void): () => void {
    const set = this.#listeners.get(event) ?? new Set();
    this.#listeners.set(event, set);
    set.add(listener);
    return () => set.delete(listener);
  }

  // Transports have no way to unsubscribe: the flag mutes the listener.
  onConnection(listener: (connected: boolean) => void): () => void {
    let on = true;
    this.#transport.onConnection((connected) => on && listener(connected));
    return () => {
      on = false;
    };
  }

  #receive(message: unknown): void {
    if (v.is(ReplySchema, message)) {
      this.#waiting.get(message.call)?.settle(message);
      this.#waiting.delete(message.call);
    } else if (v.is(NoticeSchema, message) && Object.hasOwn(EVENTS, message.event)) {
      this.#notify(message.event as EventName, message.payload);
    } else {
      this.#onBad('The host sent a message that is not part of the contract.');
    }
  }

  #notify(event: EventName, payload: unknown): void {
    const checked = v.safeParse(EVENTS[event], payload);
    if (!checked.success) {
      this.#onBad(`The host sent an invalid ${event} event.`);
      return;
    }
    if (hasBadRows(checked.output)) this.#onBad(BAD_ROW);
    for (const listener of this.#listeners.get(event) ?? []) listener(checked.output as never);
  }

  // IPC returns the reply itself; a WebSocket returns it as a message with the call's number.
  #exchange(name: RequestName, input: unknown): Promise<Reply> {
    this.#calls += 1;
    const call = this.#calls;
    const sent = this.#transport.send({ call, name, input });
    if (sent !== null) return sent.then((reply) => v.parse(ReplySchema, reply));
    return new Promise((settle, fail) => this.#waiting.set(call, { settle, fail }));
  }

  /** The connection is lost, and with it the replies. */
  #giveUp(): void {
    for (const { fail } of this.#waiting.values()) fail(new InspectorError(UNREACHABLE));
    this.#waiting.clear();
  }
}

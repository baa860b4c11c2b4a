import * as v from 'valibot';
import { InspectorError, NoticeSchema, REFUSALS, type Reply, ReplySchema } from '../contract/envelope.ts';
import { EVENTS, type EventName } from '../contract/events.ts';
import type { InspectorApi } from '../contract/inspector-api.ts';
import { type OutputOf, REQUESTS, type RequestName } from '../contract/requests.ts';
import { BAD_ROW, checkedPage } from './salvage-rows.ts';
import type { Transport } from './transport.ts';

/** The error of every request that fails with the connection rather than by the host's refusal. */
const UNREACHABLE = { code: 'window.disconnected', message: 'Can’t reach the host. Is Roundtrip still running?' };

/** A request whose reply will arrive as a message; keyed by its call number. */
interface Waiting {
  settle: (reply: Reply) => void;
  fail: (error: InspectorError) => void;
}

/** Null: it is not what the contract says. No response is null. */
function outputOf(name: RequestName, value: unknown): unknown {
  const checked = v.safeParse(REQUESTS[name].output, value);
  return checked.success ? checked.output : null;
}

/**
 * The typed API over a transport. Validates everything that the host sends; reports each invalid message to `onBad` as
 * a sentence and drops it. Requests reject with an `InspectorError` only.
 */
export function connectInspector(transport: Transport, onBad: (sentence: string) => void): InspectorApi {
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, Set<(payload: never) => void>>();
  let calls = 0;

  function receive(message: unknown): void {
    if (v.is(ReplySchema, message)) {
      waiting.get(message.call)?.settle(message);
      waiting.delete(message.call);
    } else if (v.is(NoticeSchema, message) && Object.hasOwn(EVENTS, message.event)) {
      tell(message.event as EventName, message.payload);
    } else {
      onBad('The host sent a message that is not part of the contract.');
    }
  }

  function tell(event: EventName, payload: unknown): void {
    const checked = v.safeParse(EVENTS[event], payload);
    if (!checked.success) {
      onBad(`The host sent an invalid ${event} event.`);
      return;
    }
    if ('badRows' in checked.output && checked.output.badRows > 0) onBad(BAD_ROW);
    for (const listener of listeners.get(event) ?? []) listener(checked.output as never);
  }

  // IPC returns the reply itself; a WebSocket returns it as a message with the call's number.
  function exchange(name: RequestName, input: unknown): Promise<Reply> {
    calls += 1;
    const call = calls;
    const sent = transport.send({ call, name, input });
    if (sent !== null) return sent.then((reply) => v.parse(ReplySchema, reply));
    return new Promise((settle, fail) => waiting.set(call, { settle, fail }));
  }

  transport.onMessage(receive);
  transport.onConnection((connected) => {
    // Replies to these calls can no longer arrive.
    if (connected) return;
    for (const { fail } of waiting.values()) fail(new InspectorError(UNREACHABLE));
    waiting.clear();
  });

  return {
    async request(name, input) {
      const reply = await exchange(name, input).catch((error: unknown) => {
        throw error instanceof InspectorError ? error : new InspectorError(UNREACHABLE);
      });
      if (!reply.ok) throw new InspectorError(reply.problem);
      const isPage = name === 'exchanges.page' || name === 'exchanges.newest';
      const output = isPage ? checkedPage(reply.value, onBad) : outputOf(name, reply.value);
      if (output !== null) return output as OutputOf<typeof name>;
      throw new InspectorError({
        code: REFUSALS.notAMessage,
        message: `The host sent an invalid response to ${name}.`,
      });
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set);
      set.add(listener);
      return () => set.delete(listener);
    },
    // Transports have no way to unsubscribe, so the flag mutes the listener.
    onConnection(listener) {
      let on = true;
      transport.onConnection((connected) => on && listener(connected));
      return () => {
        on = false;
      };
    },
  };
}

import * as v from 'valibot';
import { InspectorError, NoticeSchema, REFUSALS, type Reply, ReplySchema } from '../../shared/contract/envelope.ts';
import { EVENTS, type EventName } from '../../shared/contract/events.ts';
import type { InspectorApi } from '../../shared/contract/inspector-api.ts';
import { type OutputOf, REQUESTS, type RequestName } from '../../shared/contract/requests.ts';
import { BAD_ROW, withoutBadRows } from './salvage-rows.ts';
import type { Transport } from './transport.ts';

const UNREACHABLE = { code: 'window.disconnected', message: 'The host cannot be reached. Is Roundtrip still running?' };

interface Waiting {
  settle: (reply: Reply) => void;
  fail: (error: InspectorError) => void;
}

/** Checks all that comes from the host; what is not of the contract is told to `onBad`, a sentence each. */
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
      onBad('The host sent a message that is not of the contract.');
    }
  }

  function tell(event: EventName, payload: unknown): void {
    const checked = v.safeParse(EVENTS[event], payload);
    if (!checked.success) {
      onBad(`The host's ${event} is not of the contract.`);
      return;
    }
    if ('badRows' in checked.output && checked.output.badRows > 0) onBad(BAD_ROW);
    for (const listener of listeners.get(event) ?? []) listener(checked.output as never);
  }

  function exchange(name: RequestName, input: unknown): Promise<Reply> {
    calls += 1;
    const call = calls;
    const sent = transport.send({ call, name, input });
    if (sent !== null) return sent.then((reply) => v.parse(ReplySchema, reply));
    return new Promise((settle, fail) => waiting.set(call, { settle, fail }));
  }

  transport.onMessage(receive);
  transport.onConnection((connected) => {
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
      const value = name === 'exchanges.page' ? withoutBadRows(reply.value, onBad) : reply.value;
      const checked = v.safeParse(REQUESTS[name].output, value);
      if (checked.success) return checked.output as OutputOf<typeof name>;
      throw new InspectorError({ code: REFUSALS.notAMessage, message: `The host's answer to ${name} is not one.` });
    },
    on(event, listener) {
      const set = listeners.get(event) ?? new Set();
      listeners.set(event, set);
      set.add(listener);
      return () => set.delete(listener);
    },
    onConnection(listener) {
      let on = true;
      transport.onConnection((connected) => on && listener(connected));
      return () => {
        on = false;
      };
    },
  };
}

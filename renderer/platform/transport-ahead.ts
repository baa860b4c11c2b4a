import type { Transport } from '../../shared/client/transport.ts';
import type { Call } from '../../shared/contract/envelope.ts';

type Question = Omit<Call, 'call'>;

/** The first call number of questions asked ahead; the window counts its own from 1. */
const FIRST_NUMBER = 1_000_000_000;

/** The calls of questions that are asked ahead. */
export function callsAhead(questions: readonly Question[]): Call[] {
  return questions.map((question, index) => ({ call: FIRST_NUMBER + index, ...question }));
}

/** A question that was asked ahead, until the window asks it. */
interface Asked {
  reply: Promise<unknown>;
  settle: (reply: unknown) => void;
  fail: (error: unknown) => void;
}

/** Something that arrived before the window's code was there. */
interface Early {
  isReply: boolean;
  deliver: () => void;
}

function textOf({ name, input }: Question): string {
  return JSON.stringify([name, input]);
}

/** The number of the call that a message answers, if it answers one. */
function answeredCall(message: unknown): number | null {
  const isReply = typeof message === 'object' && message !== null && 'call' in message;
  return isReply && typeof message.call === 'number' ? message.call : null;
}

function askedNow(): Asked {
  let [settle, fail]: [Asked['settle'], Asked['fail']] = [() => {}, () => {}];
  const reply = new Promise((resolve, reject) => {
    [settle, fail] = [resolve, reject];
  });
  // The window may never ask, and nobody would handle the failure.
  reply.catch(() => null);
  return { reply, settle, fail };
}

/**
 * A transport that asks the window's first questions as soon as the host can be reached, while the browser still loads
 * and compiles the window's code. When the window asks the same, the reply is there or on its way. Everything that
 * arrives before the window listens is kept and delivered in its order. If the connection is lost before, it is
 * forgotten: the window begins again.
 */
export class TransportAhead implements Transport {
  readonly #transport: Transport;
  readonly #first: readonly Call[];
  /** By the question. */
  readonly #unasked = new Map<string, Asked>();
  /** By the call's number. */
  readonly #unanswered = new Map<number, Asked>();
  readonly #listeners = new Set<(message: unknown) => void>();
  /** Null: the window listens, and has everything that came before. */
  #early: Early[] | null = [];
  #hasAsked = false;

  /** `first`: of `callsAhead`. */
  constructor(transport: Transport, first: readonly Call[]) {
    this.#transport = transport;
    this.#first = first;
    transport.onMessage((message) => this.#receive(message));
    transport.onConnection((connected) => this.#follow(connected));
  }

  send(call: Call): Promise<unknown> | null {
    if (this.#unasked.size === 0) return this.#transport.send(call);
    const question = textOf(call);
    const asked = this.#unasked.get(question);
    this.#unasked.delete(question);
    return asked?.reply ?? this.#transport.send(call);
  }

  /** What came early follows once the window's code, which asks and listens in one turn, has run. */
  onMessage(listener: (message: unknown) => void): void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) queueMicrotask(() => this.#deliver());
  }

  onConnection(listener: (connected: boolean) => void): void {
    this.#transport.onConnection(listener);
  }

  #follow(connected: boolean): void {
    if (!connected && this.#hasAsked) this.#forget();
    // A window that listens asks itself.
    if (!connected || this.#hasAsked || this.#early === null) return;
    this.#hasAsked = true;
    for (const first of this.#first) {
      const asked = askedNow();
      this.#unasked.set(textOf(first), asked);
      this.#unanswered.set(first.call, asked);
      this.#transport.send(first)?.then((reply) => this.#answer(first.call, reply), asked.fail);
    }
  }

  #receive(message: unknown): void {
    const call = answeredCall(message);
    if (call !== null && call >= FIRST_NUMBER) this.#answer(call, message);
    else this.#take({ isReply: false, deliver: () => this.#pass(message) });
  }

  #answer(call: number, reply: unknown): void {
    const asked = this.#unanswered.get(call);
    this.#unanswered.delete(call);
    this.#take({ isReply: true, deliver: () => asked?.settle(reply) });
  }

  #take(early: Early): void {
    if (this.#early === null) early.deliver();
    else this.#early.push(early);
  }

  #pass(message: unknown): void {
    for (const listener of this.#listeners) listener(message);
  }

  /** The window uses a reply in microtasks: a notice that came after it must not overtake them. */
  #deliver(): void {
    this.#unasked.clear();
    for (let next = this.#early?.shift(); next !== undefined; next = this.#early?.shift()) {
      next.deliver();
      if (next.isReply && this.#early?.[0]?.isReply === false) {
        setTimeout(() => this.#deliver());
        return;
      }
    }
    this.#early = null;
  }

  #forget(): void {
    for (const { fail } of this.#unanswered.values()) fail(new Error('Can’t reach the host.'));
    this.#unanswered.clear();
    this.#unasked.clear();
    if (this.#early !== null) this.#early = [];
  }
}

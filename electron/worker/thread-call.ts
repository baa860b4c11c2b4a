import type { Failure } from '../../shared/model/failure.ts';
import { failureOf } from '../failures/errors.ts';

/** Calls to a thread by name, with their input and output. Both are cloned. */
export type CallMap = Record<string, { input: unknown; output: unknown }>;

interface Call {
  id: number;
  name: string;
  input: unknown;
}

/** Asks the thread to end. It does so between two of its tasks, never inside a native module. */
export const END = 'end';

export type ToThread = Call | typeof END;

export type FromThread<Notice> =
  /** Its code is loaded: calls are answered from now on. */
  | { kind: 'ready' }
  | { kind: 'reply'; id: number; ok: true; value: unknown }
  | { kind: 'reply'; id: number; ok: false; failure: Failure }
  | { kind: 'notice'; notice: Notice };

export type Answers<M extends CallMap> = {
  [N in keyof M]: (input: M[N]['input']) => Promise<M[N]['output']> | M[N]['output'];
};

/** The side of a port that a thread needs; `parentPort` is one. */
export interface ThreadEnd {
  on(event: 'message', listener: (message: ToThread) => void): unknown;
  postMessage(message: unknown): void;
}

async function answer<M extends CallMap>(answers: Answers<M>, { id, name, input }: Call): Promise<FromThread<never>> {
  try {
    return { kind: 'reply', id, ok: true, value: await answers[name]?.(input) };
  } catch (error) {
    return { kind: 'reply', id, ok: false, failure: failureOf(error) };
  }
}

/**
 * Handles calls to a thread concurrently: a slow one does not delay the others. `onAnswered` runs after each answer has
 * been sent.
 */
export function answerCalls<M extends CallMap>(
  port: ThreadEnd,
  answers: Answers<M>,
  onAnswered: () => void = () => undefined,
): void {
  port.on('message', (message) => {
    // In a worker, this ends the thread only.
    if (message === END) process.exit(0);
    void answer(answers, message).then((reply) => {
      port.postMessage(reply);
      onAnswered();
    });
  });
  port.postMessage({ kind: 'ready' } satisfies FromThread<never>);
}

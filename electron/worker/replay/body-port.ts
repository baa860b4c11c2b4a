import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../../shared/model/failure.ts';
import type { ReplayBody } from '../../engine/replay/replay-body.ts';
import { failureOf, RoundtripError, roundtripError } from '../../failures/errors.ts';

type Answer = { piece: Uint8Array | null } | { failure: Failure };

/**
 * Sends a body over a port, one piece for each message that arrives there: a slow upstream never fills the memory. The
 * port closes after the last piece.
 */
export function servePieces(port: MessagePort, pieces: Iterator<Uint8Array>): void {
  // Nobody asks again: what the pieces come from can be closed.
  port.on('close', () => void pieces.return?.());
  port.on('message', () => {
    const answer = nextAnswer(pieces);
    port.postMessage(answer);
    if ('failure' in answer || answer.piece === null) port.close();
  });
}

function nextAnswer(pieces: Iterator<Uint8Array>): Answer {
  try {
    const step = pieces.next();
    return { piece: step.done ? null : step.value };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

/** The reading end of a port of `servePieces`. `size`: the body's bytes. */
export class PortBody implements ReplayBody {
  readonly size: number;
  readonly #port: MessagePort;
  #waiting: { resolve: (piece: Uint8Array | null) => void; reject: (error: Error) => void } | null = null;
  #closed = false;

  constructor(port: MessagePort, size: number) {
    this.size = size;
    this.#port = port;
    port.on('message', (answer: Answer) => {
      const waiting = this.#waiting;
      this.#waiting = null;
      if ('failure' in answer) waiting?.reject(new RoundtripError(answer.failure));
      else waiting?.resolve(answer.piece);
    });
    port.on('close', () => {
      this.#closed = true;
      this.#waiting?.reject(roundtripError('session.not-open', {}));
      this.#waiting = null;
    });
  }

  next(): Promise<Uint8Array | null> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(roundtripError('session.not-open', {}));
        return;
      }
      this.#waiting = { resolve, reject };
      this.#port.postMessage(null);
    });
  }

  close(): void {
    this.#port.close();
  }
}

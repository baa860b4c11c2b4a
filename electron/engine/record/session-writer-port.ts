import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../../shared/model/failure.ts';
import { RoundtripError, roundtripError } from '../errors.ts';
import type { FromWriter, OpenedSession, ToWriter, WriteBatch } from './writer-protocol.ts';

/** Batches that may be under way at once: one being written, the next one waiting, so that the writer never idles. */
const CREDITS = 3;

/**
 * The engine's end of the way to the writer's thread. Everything sent is acknowledged in order; `ready` is false while
 * as many batches are under way as there are credits, and the sender then keeps what it has until `onDone`.
 */
export class SessionWriterPort {
  readonly session: OpenedSession;
  readonly #port: MessagePort;
  #sent = 0;
  #done = 0;
  #closed = false;
  /** Exchanges that ended, in each message under way. */
  #exchanges: number[] = [];
  readonly #waiting: { for: number; resolve: () => void }[] = [];
  /** After each acknowledgement, with the slabs that came back. */
  onDone: (slabs: ArrayBuffer[]) => void = () => {};
  /** So many exchanges that had ended are in the session file. */
  onWritten: (exchanges: number) => void = () => {};
  /** `session.write-failed`, once until a write succeeds again. */
  onFailure: (failure: Failure) => void = () => {};

  /** Waits for the writer to open its file. Rejects with its `session.open-failed`. */
  static connect(port: MessagePort): Promise<SessionWriterPort> {
    return new Promise((resolve, reject) => {
      const died = () =>
        reject(roundtripError('session.open-failed', { path: '', detail: "the writer's thread died" }));
      port.once('close', died);
      port.once('message', (message: FromWriter) => {
        port.off('close', died);
        if (message.kind === 'opened') resolve(new SessionWriterPort(port, message.session));
        else if (message.kind === 'open-failed') reject(new RoundtripError(message.failure));
      });
    });
  }

  private constructor(port: MessagePort, session: OpenedSession) {
    this.#port = port;
    this.session = session;
    port.on('message', (message: FromWriter) => this.#received(message));
    port.on('close', () => this.#hasClosed());
  }

  /** True once the writer's thread is gone: nothing sent is written any more. */
  get closed(): boolean {
    return this.#closed;
  }

  get ready(): boolean {
    return this.#sent - this.#done < CREDITS;
  }

  /** `ended`: exchanges in it whose last row it holds. */
  send(batch: WriteBatch, ended = 0): void {
    this.#post(batch, ended, batch.slabs);
  }

  /** Resolves when the session is empty. */
  clear(sessionId: string): Promise<void> {
    this.#post({ kind: 'clear', sessionId }, 0);
    return this.settled();
  }

  /** Resolves when everything sent so far has been written. */
  settled(): Promise<void> {
    if (this.#done >= this.#sent) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ for: this.#sent, resolve }));
  }

  /** Resolves when everything sent has been written and the file is closed. */
  close(): Promise<void> {
    this.#post({ kind: 'close' }, 0);
    return this.settled();
  }

  #post(message: ToWriter, ended: number, transfer: ArrayBuffer[] = []): void {
    if (this.#closed) return;
    this.#exchanges.push(ended);
    this.#sent += 1;
    this.#port.postMessage(message, transfer);
  }

  #received(message: FromWriter): void {
    if (message.kind !== 'done') return;
    const ended = this.#exchanges.shift() ?? 0;
    if (message.written) this.onWritten(ended);
    this.#settle(this.#done + 1);
    if (message.failure) this.onFailure(message.failure);
    this.onDone(message.slabs);
  }

  /** Nobody is to wait for ever for a writer that is gone. */
  #hasClosed(): void {
    this.#closed = true;
    this.#settle(this.#sent);
    this.onDone([]);
  }

  #settle(done: number): void {
    this.#done = done;
    while (this.#waiting[0] && this.#waiting[0].for <= done) this.#waiting.shift()?.resolve();
  }
}

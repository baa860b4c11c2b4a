import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../../shared/model/failure.ts';
import { failure, RoundtripError, roundtripError } from '../../failures/errors.ts';
import type { FromWriter, OpenedSession, Resume, ToWriter, WriteBatch } from '../../session/format/writer-protocol.ts';

/** Batches that may be under way at once: one being written, the next one waiting, so that the writer never idles. */
const CREDITS = 3;
/** A writer that acknowledges nothing for so long waits for its disk, or for whoever locks the file. Milliseconds. */
const STALLED = 5000;
/** What trouble gets to be over once the session is to be closed; milliseconds. */
const PATIENCE = 2000;

/** What this end notices, and no writer reports. */
const OWN_TROUBLE = ['session.stalled', 'session.writer-died'];

interface Sent {
  message: ToWriter;
  /** Exchanges whose last row it holds. */
  ended: number;
}

interface Waiter {
  /** The number of the last message that it waits for. */
  for: number;
  /** It also waits while nothing can be written. */
  patient: boolean;
  resolve: () => void;
}

/**
 * The engine's end of the way to the writer's thread. It keeps what it sent until the writer acknowledges it, in order, so
 * that a writer that was started again gets it once more. `ready` is false while as many batches are under way as there are
 * credits; the sender then keeps what it has until `onDone`.
 */
export class SessionWriterPort {
  readonly session: OpenedSession;
  #port: MessagePort | null = null;
  #path: string;
  #sessionId: string;
  #unacknowledged: Sent[] = [];
  #done = 0;
  #trouble: Failure | null = null;
  #waiters: Waiter[] = [];
  readonly #stall: NodeJS.Timeout;
  #closed = false;
  /** After each acknowledgement, with the slabs that may be used again. */
  onDone: (slabs: SharedArrayBuffer[]) => void = () => {};
  /** So many exchanges that had ended are in the session file. */
  onWritten: (exchanges: number) => void = () => {};
  /** So many exchanges that had ended never will be: SQLite does not take their batch. */
  onRefused: (exchanges: number, failure: Failure) => void = () => {};
  /** Nothing can be written at present, and why; null: it can again. */
  onTrouble: (failure: Failure | null) => void = () => {};
  /** The session goes on in the file at `path`; `failure` says why. */
  onMoved: (path: string, failure: Failure) => void = () => {};

  /** Waits for the writer to open its file. Rejects with its `session.open-failed`; `onSlow`: it takes long. */
  static connect(port: MessagePort, onSlow: (failure: Failure) => void = () => {}): Promise<SessionWriterPort> {
    return new Promise((resolve, reject) => {
      const slow = setTimeout(() => onSlow(failure('session.open-slow', { seconds: STALLED / 1000 })), STALLED);
      const died = () => {
        clearTimeout(slow);
        reject(roundtripError('session.open-failed', { path: '', detail: "the writer's thread died" }));
      };
      port.once('close', died);
      port.once('message', (message: FromWriter) => {
        port.off('close', died);
        clearTimeout(slow);
        if (message.kind === 'opened') resolve(new SessionWriterPort(port, message.session));
        else if (message.kind === 'open-failed') reject(new RoundtripError(message.failure));
      });
    });
  }

  private constructor(port: MessagePort, session: OpenedSession) {
    this.session = session;
    this.#path = session.path;
    this.#sessionId = session.sessionId;
    this.#stall = setTimeout(() => this.#hasStalled(), STALLED).unref();
    this.#listenTo(port);
  }

  /** The writer died and another one listens at `port`: it gets what its predecessor did not acknowledge. */
  resume(port: MessagePort): void {
    if (this.#closed) {
      port.close();
      return;
    }
    this.#hasNoWriter();
    this.#port?.close();
    const resume: Resume = { kind: 'resume', sessionIds: [this.#sessionId, ...this.#comingSessions()] };
    this.#listenTo(port);
    port.postMessage(resume);
    for (const { message } of this.#unacknowledged) port.postMessage(message);
    this.#stall.refresh();
  }

  /** Why nothing can be written at present; null while it can. */
  get trouble(): Failure | null {
    return this.#trouble;
  }

  /** True while there is no writer: it died, and its successor is not there yet. */
  get detached(): boolean {
    return this.#port === null;
  }

  get ready(): boolean {
    return this.#unacknowledged.length < CREDITS;
  }

  /** `ended`: exchanges whose last row is in it. */
  send(batch: WriteBatch, ended = 0): void {
    this.#post(batch, ended);
  }

  /** Resolves when the session is empty, or at once while nothing can be written. */
  clear(sessionId: string): Promise<void> {
    this.#post({ kind: 'clear', sessionId }, 0);
    return this.settled();
  }

  /** Resolves when everything sent so far has been written, or when that can't be at present. */
  settled(): Promise<void> {
    return this.#trouble === null ? this.#until(false) : Promise.resolve();
  }

  /** Resolves once everything can be written, or when trouble did not end in the time that it gets. */
  async untroubled(): Promise<void> {
    if (this.#trouble !== null) await this.#patiently();
  }

  /** Resolves with true when everything sent has been written and the file is closed; false where that could not be. */
  async close(): Promise<boolean> {
    this.#post({ kind: 'close' }, 0);
    await this.settled();
    if (this.#unacknowledged.length > 0) await this.#patiently();
    this.#closed = true;
    clearTimeout(this.#stall);
    this.#port?.close();
    return this.#unacknowledged.length === 0;
  }

  /** Resolves when all was written, or did not get written in the time that trouble gets to be over. */
  async #patiently(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, PATIENCE);
    });
    await Promise.race([this.#until(true), late]);
    clearTimeout(timer);
  }

  #comingSessions(): string[] {
    return this.#unacknowledged.flatMap(({ message }) => (message.kind === 'clear' ? [message.sessionId] : []));
  }

  #until(patient: boolean): Promise<void> {
    const last = this.#done + this.#unacknowledged.length;
    if (last === this.#done) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ for: last, patient, resolve }));
  }

  #listenTo(port: MessagePort): void {
    this.#port = port;
    port.on('message', (message: FromWriter) => this.#received(message));
    port.on('close', () => this.#hasClosed(port));
  }

  #post(message: ToWriter, ended: number): void {
    if (this.#unacknowledged.length === 0) this.#stall.refresh();
    this.#unacknowledged.push({ message, ended });
    this.#port?.postMessage(message);
  }

  #received(message: FromWriter): void {
    if (message.kind === 'done') this.#acknowledged(message.refused);
    else if (message.kind === 'opened') this.#setTrouble(null);
    else if (message.kind === 'trouble') this.#setTrouble(message.failure);
    else if (message.kind === 'moved') {
      this.#path = message.path;
      this.onMoved(message.path, message.failure);
    }
  }

  #acknowledged(refused: Failure | null): void {
    const sent = this.#unacknowledged.shift();
    if (sent === undefined) return;
    this.#done += 1;
    this.#stall.refresh();
    if (sent.message.kind === 'clear') this.#sessionId = sent.message.sessionId;
    // The writer takes back what it reported itself.
    if (this.#trouble && OWN_TROUBLE.includes(this.#trouble.code)) this.#setTrouble(null);
    if (refused === null) this.onWritten(sent.ended);
    else this.onRefused(sent.ended, refused);
    this.#release((waiter) => waiter.for <= this.#done);
    this.onDone(sent.message.kind === 'batch' ? sent.message.slabs : []);
  }

  #setTrouble(trouble: Failure | null): void {
    if (this.#trouble?.message === trouble?.message) return;
    this.#trouble = trouble;
    // Nobody is to wait for ever for a writer that can't write.
    if (trouble !== null) this.#release((waiter) => !waiter.patient);
    this.onTrouble(trouble);
  }

  #hasStalled(): void {
    if (this.#closed || this.#unacknowledged.length === 0 || this.#trouble !== null) return;
    this.#setTrouble(failure('session.stalled', { path: this.#path, seconds: STALLED / 1000 }));
  }

  #hasClosed(port: MessagePort): void {
    if (this.#closed || this.#port !== port) return;
    this.#port = null;
    this.#hasNoWriter();
    this.onDone([]);
  }

  /** Its successor may be there before its port closed. */
  #hasNoWriter(): void {
    this.#setTrouble(failure('session.writer-died', { detail: 'it is gone' }));
  }

  #release(which: (waiter: Waiter) => boolean): void {
    const released = this.#waiters.filter(which);
    this.#waiters = this.#waiters.filter((waiter) => !which(waiter));
    for (const { resolve } of released) resolve();
  }
}

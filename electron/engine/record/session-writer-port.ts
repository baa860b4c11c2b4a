import type { MessagePort } from 'node:worker_threads';
import type { Failure } from '../../../shared/model/failure.ts';
import { failure, RoundtripError, roundtripError } from '../../failures/errors.ts';
import type { FromWriter, OpenedSession, Resume, ToWriter, WriteBatch } from '../../session/format/writer-protocol.ts';

/** Unacknowledged batches allowed: one is written while others wait, which keeps the writer busy. */
const CREDITS = 3;
/** Milliseconds without an acknowledgement after which the writer counts as stalled: a slow disk, or a locked file. */
const STALLED = 5000;
/** Milliseconds by which that timer may be late. If it is later, this thread or the whole machine stood still. */
const LATE = 1000;
/** Milliseconds that `close` waits for trouble to end. */
const PATIENCE = 2000;

/** Failures detected at this end, not reported by the writer. */
const OWN_TROUBLE = ['session.stalled', 'session.writer-died'];

interface Sent {
  message: ToWriter;
  /** Exchanges whose last row is in the message. */
  ended: number;
}

interface Waiter {
  /** The number of the last message to wait for. */
  for: number;
  /** Also waits while nothing can be written. */
  patient: boolean;
  resolve: () => void;
}

/**
 * The engine's end of the port to the writer thread. Keeps each message until the writer acknowledges it, in order, and
 * sends it again to a restarted writer. `ready` is false while `CREDITS` messages are unacknowledged; the sender then
 * holds its data until `onDone`.
 */
export class SessionWriterPort {
  readonly session: OpenedSession;
  #port: MessagePort | null = null;
  #path: string;
  #sessionId: string;
  #unacknowledged: Sent[] = [];
  #done = 0;
  /** Ended exchanges in the session file. */
  #written = 0;
  #trouble: Failure | null = null;
  #waiters: Waiter[] = [];
  readonly #stall: NodeJS.Timeout;
  /** When `#stall` was set, on the monotonic clock. */
  #stallSet = performance.now();
  #closed = false;
  /** Called after each acknowledgement, with the slabs that may be reused, and when trouble begins. */
  onDone: (slabs: SharedArrayBuffer[]) => void = () => {};
  /** This many ended exchanges are now in the session file. */
  onWritten: (exchanges: number) => void = () => {};
  /** This many ended exchanges are lost: SQLite rejects their batch. */
  onRefused: (exchanges: number, failure: Failure) => void = () => {};
  /** Why nothing can be written at present; null when writing works again. */
  onTrouble: (failure: Failure | null) => void = () => {};
  /** The session continues in the file at `path`; `failure` gives the reason. `whole`: none of it is missing. */
  onMoved: (path: string, failure: Failure, whole: boolean) => void = () => {};
  /** This many ended exchanges that were written can't be read any more: another program damaged the file. */
  onDamaged: (exchanges: number) => void = () => {};

  /**
   * Resolves when the writer has opened its file. Rejects with the writer's `session.open-failed`, or with
   * `engine.thread-not-started` if it died before. Calls `onSlow` once if that takes longer than `STALLED`.
   */
  static connect(port: MessagePort, onSlow: (failure: Failure) => void = () => {}): Promise<SessionWriterPort> {
    return new Promise((resolve, reject) => {
      const slow = setTimeout(() => onSlow(failure('session.open-slow', { seconds: STALLED / 1000 })), STALLED);
      const died = () => {
        clearTimeout(slow);
        reject(roundtripError('engine.thread-not-started', { detail: 'the one that writes the session file died' }));
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

  /** The writer died and a new one listens at `port`: sends it everything that its predecessor did not acknowledge. */
  resume(port: MessagePort): void {
    if (this.#closed) {
      port.close();
      return;
    }
    this.#hasNoWriter();
    this.#port?.close();
    const resume: Resume = {
      kind: 'resume',
      sessionIds: [this.#sessionId, ...this.#comingSessions()],
      firstExchange: this.session.nextExchangeId,
    };
    this.#listenTo(port);
    port.postMessage(resume);
    for (const { message } of this.#unacknowledged) port.postMessage(message);
    this.#waitForStall();
  }

  /** Why nothing can be written at present; null while it can. */
  get trouble(): Failure | null {
    return this.#trouble;
  }

  /** True while there is no writer: it died and its successor has not started yet. */
  get detached(): boolean {
    return this.#port === null;
  }

  get ready(): boolean {
    return this.#unacknowledged.length < CREDITS;
  }

  /** `ended`: exchanges whose last row is in the batch. */
  send(batch: WriteBatch, ended = 0): void {
    this.#post(batch, ended);
  }

  /** Resolves when the session is empty, or at once while nothing can be written. */
  clear(sessionId: string): Promise<void> {
    this.#post({ kind: 'clear', sessionId }, 0);
    return this.settled();
  }

  /** Resolves when everything sent so far has been written, or when nothing can be written at present. */
  settled(): Promise<void> {
    return this.#trouble === null ? this.#until(false) : Promise.resolve();
  }

  /** Resolves when trouble has ended, or after `PATIENCE`. */
  async untroubled(): Promise<void> {
    if (this.#trouble !== null) await this.#patiently();
  }

  /** Resolves with true when everything has been written and the file is closed, and with false if that failed. */
  async close(): Promise<boolean> {
    this.#post({ kind: 'close' }, 0);
    await this.settled();
    if (this.#unacknowledged.length > 0) await this.#patiently();
    this.#closed = true;
    clearTimeout(this.#stall);
    this.#port?.close();
    return this.#unacknowledged.length === 0;
  }

  /** Resolves when everything has been written, or after `PATIENCE`. */
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
    if (this.#unacknowledged.length === 0) this.#waitForStall();
    this.#unacknowledged.push({ message, ended });
    this.#port?.postMessage(message);
  }

  #received(message: FromWriter): void {
    if (message.kind === 'done') this.#acknowledged(message.refused);
    else if (message.kind === 'opened') this.#setTrouble(null);
    else if (message.kind === 'trouble') this.#setTrouble(message.failure);
    else if (message.kind === 'moved') this.#hasMoved(message);
  }

  #hasMoved({ path, failure, ended, whole }: Extract<FromWriter, { kind: 'moved' }>): void {
    this.#path = path;
    if (ended < this.#written) this.onDamaged(this.#written - ended);
    this.#written = ended;
    this.onMoved(path, failure, whole);
  }

  #acknowledged(refused: Failure | null): void {
    const sent = this.#unacknowledged.shift();
    if (sent === undefined) return;
    this.#done += 1;
    this.#waitForStall();
    if (sent.message.kind === 'clear') {
      this.#sessionId = sent.message.sessionId;
      this.#written = 0;
    }
    // The writer itself withdraws the trouble that it reported.
    if (this.#trouble && OWN_TROUBLE.includes(this.#trouble.code)) this.#setTrouble(null);
    if (refused === null) {
      this.#written += sent.ended;
      this.onWritten(sent.ended);
    } else this.onRefused(sent.ended, refused);
    this.#release((waiter) => waiter.for <= this.#done);
    this.onDone(sent.message.kind === 'batch' ? sent.message.slabs : []);
  }

  #setTrouble(trouble: Failure | null): void {
    if (this.#trouble?.message === trouble?.message) return;
    this.#trouble = trouble;
    // Otherwise they would wait forever for a writer that can't write.
    if (trouble !== null) this.#release((waiter) => !waiter.patient);
    this.onTrouble(trouble);
    if (trouble !== null) this.onDone([]);
  }

  #waitForStall(): void {
    this.#stallSet = performance.now();
    this.#stall.refresh();
  }

  #hasStalled(): void {
    if (this.#closed || this.#unacknowledged.length === 0 || this.#trouble !== null) return;
    // The acknowledgement may have come meanwhile and wait behind this timer.
    if (performance.now() - this.#stallSet > STALLED + LATE) this.#waitForStall();
    else this.#setTrouble(failure('session.stalled', { path: this.#path, seconds: STALLED / 1000 }));
  }

  #hasClosed(port: MessagePort): void {
    if (this.#closed || this.#port !== port) return;
    this.#port = null;
    this.#hasNoWriter();
    this.onDone([]);
  }

  /** May run before the old port's 'close': the successor can start first. */
  #hasNoWriter(): void {
    this.#setTrouble(failure('session.writer-died', { detail: 'it is gone' }));
  }

  #release(which: (waiter: Waiter) => boolean): void {
    const released = this.#waiters.filter(which);
    this.#waiters = this.#waiters.filter((waiter) => !which(waiter));
    for (const { resolve } of released) resolve();
  }
}

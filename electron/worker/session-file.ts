import path from 'node:path';
import type { Transferable } from 'node:worker_threads';
import type { Failure } from '../../shared/model/failure.ts';
import { failure, roundtripError } from '../failures/errors.ts';
import type { HarJob } from './recording-types.ts';
import type { SessionCalls, SessionNotice } from './session-calls.ts';
import { Thread } from './thread.ts';

/** How long to wait for the database to close, in milliseconds. Nothing is lost if it takes longer: it is only read. */
const CLOSING = 1000;

/** MB. Exports create short-lived objects: 100,000 exchanges took 160 MB with V8's 48, and take 54 with 6. */
const YOUNG_GENERATION = 6;

/**
 * Reads the session file on a separate thread: a large export or a slow disk stalls neither traffic nor windows. If the
 * thread died, the next call starts it again.
 */
export class SessionFile {
  readonly #threadFolder: string;
  readonly #onFailure: (failure: Failure) => void;
  readonly #progress = new Map<number, HarJob['onProgress']>();
  #path: string;
  #jobs = 0;
  #thread: Promise<Thread<SessionCalls, SessionNotice>> | null = null;
  #closed = false;

  /** `onFailure` is called when the thread died. */
  constructor(threadFolder: string, sessionPath: string, onFailure: (failure: Failure) => void) {
    this.#onFailure = onFailure;
    this.#threadFolder = threadFolder;
    this.#path = sessionPath;
  }

  /** Rejects with the thread's failure, `session.open-failed`, or `engine.stopped` once it is closed. */
  async call<N extends keyof SessionCalls & string>(
    name: N,
    input: SessionCalls[N]['input'],
    transfer: Transferable[] = [],
  ): Promise<SessionCalls[N]['output']> {
    // A window may call until it closes; a thread started for it would keep the process alive.
    if (this.#closed) throw roundtripError('engine.stopped', {});
    this.#thread ??= this.#start();
    const thread = await this.#thread;
    return await thread.call(name, input, transfer);
  }

  /** Reads another file from now on. Rejects with `session.open-failed`. */
  async open(sessionPath: string): Promise<void> {
    this.#path = sessionPath;
    if (this.#thread === null) return;
    await this.call('open', { path: sessionPath });
  }

  /** `session`: the id of the session that the file must hold; null: any. */
  async exportHar(
    { path: target, selection, onProgress, signal }: HarJob,
    session: string | null,
  ): Promise<SessionCalls['har']['output']> {
    this.#jobs += 1;
    const job = this.#jobs;
    const cancel = () => void this.call('cancelHar', { job }).catch(() => null);
    this.#progress.set(job, onProgress);
    signal.addEventListener('abort', cancel);
    try {
      signal.throwIfAborted();
      return await this.call('har', { job, path: target, selection, session });
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#progress.delete(job);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const thread = await this.#thread?.catch(() => null);
    this.#thread = null;
    // Both at once: the thread may have ended before its reply is seen here, and that would look like a death.
    await Promise.all([thread?.call('close', null).catch(() => null), thread?.stop(CLOSING)]);
  }

  async #start(): Promise<Thread<SessionCalls, SessionNotice>> {
    const thread: Thread<SessionCalls, SessionNotice> = new Thread({
      file: path.join(this.#threadFolder, 'session-reader-thread.cjs'),
      name: 'roundtrip session reader',
      youngGeneration: YOUNG_GENERATION,
      onNotice: ({ job, written, total }) => this.#progress.get(job)?.(written, total),
      onDeath: (detail) => {
        this.#thread = null;
        this.#onFailure(failure('engine.helper-died', { what: 'the one that reads the session file', detail }));
      },
    });
    try {
      await thread.call('open', { path: this.#path });
      return thread;
    } catch (error) {
      this.#thread = null;
      await thread.stop(0);
      throw error;
    }
  }
}

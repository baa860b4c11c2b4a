import { statSync } from 'node:fs';
import path from 'node:path';
import type { Transferable } from 'node:worker_threads';
import type { WithinSession } from '../../shared/contract/requests.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { Trial } from '../../shared/model/rule/trial.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import { failure, RoundtripError, roundtripError } from '../failures/errors.ts';
import { RunningWork } from '../files/running-work.ts';
import { SessionUse } from '../session/format/session-use.ts';
import type { SavedBody } from '../session/read/save-body.ts';
import type { ExportTask, PreviewTask, SearchJob, TrialJob } from './recording-types.ts';
import type { SessionCalls, SessionNotice, SessionReaderData } from './session-calls.ts';
import { Thread } from './thread.ts';
import { trimWhenIdle } from './trim-heap.ts';

/** Names the thread in the sentence of its death. */
const READER = 'the one that reads the session file';

/** Read-only calls, which can be repeated. The others write, report progress, or hand over a port. */
const READS: ReadonlySet<keyof SessionCalls> = new Set([
  ...(['info', 'opening', 'page', 'rows', 'newest', 'get', 'body', 'messages', 'message'] as const),
  ...(['compare', 'findings', 'connectionEnds', 'pages', 'edits'] as const),
]);

/** How long to wait for the database to close, in milliseconds. Nothing is lost if it takes longer: it is only read. */
const CLOSING = 1000;

/** MB. Exports create short-lived objects: 100,000 exchanges took 160 MB with V8's 48, and take 54 with 6. */
const YOUNG_GENERATION = 6;
/** MB: just below what makes V8 collect later (`oldGeneration` in thread.ts). */
const OLD_GENERATION = 2000;

/**
 * Reads the session file on a separate thread: a large export or a slow disk stalls neither traffic nor windows. If the
 * thread died, the next call starts it again.
 */
export class SessionFile {
  readonly #threadFolder: string;
  readonly #onFailure: (failure: Failure) => void;
  readonly #work = new RunningWork();
  readonly #notices = new Map<number, (notice: SessionNotice) => void>();
  #path: string;
  #use: SessionUse;
  #jobs = 0;
  #thread: Promise<Thread<SessionCalls, SessionNotice>> | null = null;
  #closed = false;

  /** `onFailure` is called when the thread died. */
  constructor(threadFolder: string, sessionPath: string, onFailure: (failure: Failure) => void) {
    this.#onFailure = onFailure;
    this.#threadFolder = threadFolder;
    this.#path = sessionPath;
    this.#use = new SessionUse(sessionPath);
  }

  /**
   * Marks the file as used as long as this is not closed: between the end of its recording and its export, no thread
   * has it open.
   */
  hold(): void {
    this.#use.release();
    this.#use = new SessionUse(this.#path);
  }

  /**
   * What `info` returns for a session without exchanges, as long as no thread reads the file; null: one does. Starting
   * the thread takes 60 ms of CPU, and each start of the app begins with an empty session.
   */
  emptyInfo(id: string): SessionInfo | null {
    if (this.#thread !== null || this.#closed) return null;
    const bytes = [this.#path, `${this.#path}-wal`].map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0);
    return { id, path: this.#path, exchanges: 0, bytes: bytes.reduce((sum, size) => sum + size) };
  }

  /**
   * Rejects with the thread's failure, `session.open-failed`, or `engine.stopped` once it is closed. A read whose
   * thread died is repeated only once: the read itself may have killed the thread.
   */
  async call<N extends keyof SessionCalls & string>(
    name: N,
    input: SessionCalls[N]['input'],
    transfer: Transferable[] = [],
  ): Promise<SessionCalls[N]['output']> {
    try {
      return await this.#ask(name, input, transfer);
    } catch (error) {
      const met = error instanceof RoundtripError && error.code === 'engine.helper-died';
      if (!met || !READS.has(name)) throw error;
      return await this.#ask(name, input, transfer);
    }
  }

  async #ask<N extends keyof SessionCalls & string>(
    name: N,
    input: SessionCalls[N]['input'],
    transfer: Transferable[],
  ): Promise<SessionCalls[N]['output']> {
    // A window may call until it closes; a thread started for it would keep the process alive.
    if (this.#closed) throw roundtripError('engine.stopped', {});
    this.#thread ??= this.#start();
    const thread = await this.#thread;
    // The rows of a session pass through this thread's heap on their way to a window.
    trimWhenIdle();
    return await thread.call(name, input, transfer);
  }

  /** Reads another file from now on. Rejects with `session.open-failed`. */
  async open(sessionPath: string): Promise<void> {
    this.#path = sessionPath;
    this.hold();
    if (this.#thread === null) return;
    await this.call('open', { path: sessionPath });
  }

  /**
   * Call it when recording into a file has begun. A reader that opened the file between two lives of the engine would
   * never see another row.
   */
  async follow(): Promise<void> {
    if (this.#thread !== null) await this.call('follow', null);
  }

  /** `session`: the id of the session that the file must hold; null: any. */
  async export(
    { path: target, selection, onProgress, signal }: ExportTask,
    session: string | null,
  ): Promise<SessionCalls['export']['output']> {
    const onNotice = (notice: SessionNotice) => {
      if (notice.kind === 'export-progress') onProgress(notice.written, notice.total);
    };
    return await this.#run(onNotice, signal, (job) => this.call('export', { job, path: target, selection, session }));
  }

  /** Rejects as `saveBody` of the session does. `session`: as above. */
  async saveBody(save: WithinSession<'body.save'>, target: string, session: string | null): Promise<SavedBody> {
    return await this.#work.run(new AbortController().signal, () =>
      this.call('saveBody', { save, path: target, session }),
    );
  }

  async previewRedaction(
    { choice, signal }: PreviewTask,
    session: string | null,
  ): Promise<SessionCalls['preview']['output']> {
    return await this.#run(
      () => undefined,
      signal,
      (job) => this.call('preview', { job, choice, session }),
    );
  }

  /** Rejects as `searchSession` does. `session`: as above. */
  async search({ query, onProgress, signal }: SearchJob, session: string | null): Promise<void> {
    const onNotice = (notice: SessionNotice) => {
      if (notice.kind === 'search-progress') onProgress(notice.progress);
    };
    await this.#run(onNotice, signal, (job) => this.call('search', { job, query, session }));
  }

  /** Rejects as `tryRule` of the session does. `session`: as above. */
  async tryRule({ rule, redact, signal }: TrialJob, session: string | null): Promise<Trial> {
    return await this.#run(
      () => undefined,
      signal,
      (job) => this.call('tryRule', { job, rule, redact, session }),
    );
  }

  /** Runs a job of the thread that reports progress and can be cancelled. */
  #run<T>(
    onNotice: (notice: SessionNotice) => void,
    signal: AbortSignal,
    start: (job: number) => Promise<T>,
  ): Promise<T> {
    return this.#work.run(signal, (ending) => this.#runNow(onNotice, ending, start));
  }

  async #runNow<T>(
    onNotice: (notice: SessionNotice) => void,
    signal: AbortSignal,
    start: (job: number) => Promise<T>,
  ): Promise<T> {
    this.#jobs += 1;
    const job = this.#jobs;
    const cancel = () => void this.call('cancel', { job }).catch(() => null);
    this.#notices.set(job, onNotice);
    signal.addEventListener('abort', cancel);
    try {
      signal.throwIfAborted();
      return await start(job);
    } finally {
      signal.removeEventListener('abort', cancel);
      this.#notices.delete(job);
    }
  }

  async close(): Promise<void> {
    // The thread's end would leave half a file of an export behind.
    await this.#work.end();
    this.#closed = true;
    const thread = await this.#thread?.catch(() => null);
    this.#thread = null;
    // Both at once: the thread may have ended before its reply is processed here, which would look like a crash.
    await Promise.all([thread?.call('close', null).catch(() => null), thread?.stop(CLOSING)]);
    this.#use.release();
  }

  async #start(): Promise<Thread<SessionCalls, SessionNotice>> {
    const thread: Thread<SessionCalls, SessionNotice> = new Thread({
      file: path.join(this.#threadFolder, 'session-reader-thread.cjs'),
      data: { threadFolder: this.#threadFolder } satisfies SessionReaderData,
      name: 'roundtrip session reader',
      helper: READER,
      youngGeneration: YOUNG_GENERATION,
      oldGeneration: OLD_GENERATION,
      onNotice: (notice) => this.#notices.get(notice.job)?.(notice),
      onDeath: (detail) => {
        this.#thread = null;
        this.#onFailure(failure('engine.helper-died', { what: READER, detail }));
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

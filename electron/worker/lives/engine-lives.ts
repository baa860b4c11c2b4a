import type { Failure } from '../../../shared/model/failure.ts';
import { failure, failureOf, RoundtripError } from '../../failures/errors.ts';
import type { EngineNotice } from '../engine-calls.ts';
import { EngineRun } from '../engine-run.ts';
import type { RuntimeOptions } from '../recording-types.ts';
import { Deaths } from './deaths.ts';
import type { DesiredState } from './desired-state.ts';
import { LifecycleQueue } from './lifecycle-queue.ts';
import { proxyUrlOf } from './listen-address.ts';
import type { StatusBoard } from './status-board.ts';

/** If the engine dies more often than this within a minute, restarting does not help. */
const MOST_DEATHS = 5;
const DEATHS_WITHIN = 60_000;

/** Where an engine listens, and what it records into. */
export interface Place {
  host: string;
  /** 0 picks a free port; the next life reuses the same one. */
  port: number;
  sessionPath: string;
}

export interface LivesListener {
  onNotice(notice: EngineNotice): void;
  onFailure(failure: Failure): void;
  /** A life has begun, and records into its file. */
  onRunning(): void;
  /** The engine died, and its unsent reports are lost. */
  onDeath(): void;
}

/** Runs the engine, one life at a time. Starts a new life when one dies. */
export class EngineLives {
  readonly #options: RuntimeOptions;
  readonly #desired: DesiredState;
  readonly #board: StatusBoard;
  readonly #listener: LivesListener;
  readonly #queue = new LifecycleQueue();
  readonly #deaths = new Deaths(MOST_DEATHS, DEATHS_WITHIN);
  #place: Place;
  #run: EngineRun | null = null;
  /** A life that is ending. */
  #stopping: EngineRun | null = null;
  /** Resolves when the writer of a dead life has released the session file. */
  #dying: Promise<void> = Promise.resolve();
  /** Exchanges lost in earlier lives. */
  #lost = 0;

  constructor(options: RuntimeOptions, desired: DesiredState, board: StatusBoard, listener: LivesListener) {
    this.#options = options;
    this.#desired = desired;
    this.#board = board;
    this.#listener = listener;
    const { host, port } = options.engine;
    this.#place = { host, port, sessionPath: options.sessionPath };
  }

  /** The engine that runs; null while none does. */
  get run(): EngineRun | null {
    return this.#run;
  }

  get place(): Readonly<Place> {
    return this.#place;
  }

  /** Exchanges in memory that are not in the session file yet. */
  get waiting(): number {
    return this.#run?.tally.waiting ?? 0;
  }

  get lost(): number {
    return this.#lost + (this.#run?.tally.lost ?? 0);
  }

  /** Does nothing while an engine runs. Rejects as `EngineRun.start` does, or with `engine.stopped` after `end`. */
  start(port: number): Promise<void> {
    return this.#queue.run(async (signal) => {
      if (this.#run !== null) return;
      this.#place = { ...this.#place, port };
      await this.#begin(signal);
    });
  }

  /**
   * Ends this life and starts another one with `change`; closes open connections. Rejects as `start` does; the engine
   * then continues at the old place.
   */
  goOnAt(change: Partial<Place>): Promise<void> {
    return this.#queue.run(async (signal) => {
      await this.#end(0);
      const before = this.#place;
      this.#place = { ...before, ...change };
      try {
        await this.#begin(signal);
      } catch (error) {
        this.#place = before;
        if (!signal.aborted) await this.#begin(signal);
        throw error;
      }
    });
  }

  /** Runs an operation on the engine between two others. Rejects with `engine.stopped` after `end`. */
  between<T>(operation: (run: EngineRun | null) => Promise<T>): Promise<T> {
    return this.#queue.run(() => operation(this.#run));
  }

  /** The session continues in another file, chosen by the writer. */
  moved(sessionPath: string): void {
    this.#place = { ...this.#place, sessionPath };
    this.#run?.moved(sessionPath);
  }

  /** Starts no more lives. Active exchanges get `graceMs` milliseconds to finish. */
  end(graceMs: number): Promise<void> {
    return this.#queue.end(() => this.#end(graceMs));
  }

  async #end(graceMs: number): Promise<void> {
    const run = this.#run;
    this.#run = null;
    this.#stopping = run;
    await run?.stop(graceMs);
    this.#stopping = null;
    this.#count(run);
    await this.#dying;
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const { host, port, sessionPath } = this.#place;
    const { threadFolder, engine } = this.#options;
    const atStart = this.#desired.current();
    const { settings, proxyFacts, rules } = atStart;
    await this.#dying;
    let run: EngineRun | null = null;
    try {
      run = await EngineRun.start({
        ...{ threadFolder, sessionPath, signal },
        start: {
          ...{ ...engine, settings, rules, proxyFacts, host, port },
          certificates: { ...engine.certificates, ...atStart.certificates },
        },
        onNotice: (notice) => this.#listener.onNotice(notice),
        onFailure: (about) => this.#listener.onFailure(about),
        onDeath: (reason) => this.#hasDied(run, reason),
      });
    } catch (error) {
      this.#board.failed(failureOf(error));
      throw error;
    }
    this.#isRunning(run);
    await this.#desired.reconcile(run, atStart, (error) => this.#listener.onFailure(failureOf(error)));
  }

  #isRunning(run: EngineRun): void {
    const { host, port } = run.started;
    this.#run = run;
    // Clients already know the address: the next life must use the same one.
    this.#place = { ...this.#place, port };
    this.#board.running(proxyUrlOf(host, port));
    this.#listener.onRunning();
  }

  /** `run`: null while it starts, which its start reports. */
  #hasDied(run: EngineRun | null, detail: string): void {
    if (run === null) return;
    if (this.#stopping === run) this.#listener.onFailure(failure('engine.died-stopping', { detail }));
    if (this.#run !== run) return;
    this.#run = null;
    this.#dying = run.writerGone().then(() => this.#count(run));
    this.#listener.onDeath();
    const died = failure('engine.thread-died', { detail });
    this.#listener.onFailure(died);
    this.#board.restarting(died);
    void this.#queue.run((signal) => this.#restart(died, signal)).catch(() => null);
  }

  async #restart(died: Failure, signal: AbortSignal): Promise<void> {
    // Another operation has already started a life.
    if (this.#run !== null) return;
    if (this.#deaths.another()) return this.#board.failed(died);
    try {
      await this.#begin(signal);
    } catch (error) {
      const diedAgain = error instanceof RoundtripError && error.code === 'engine.thread-died';
      if (signal.aborted) return;
      if (diedAgain) return await this.#restart(error.failure, signal);
      this.#listener.onFailure(failureOf(error));
    }
  }

  /** To be called after the life's writer has ended: exchanges that still wait are lost. */
  #count(run: EngineRun | null): void {
    if (run !== null) this.#lost += run.tally.lost + run.tally.waiting;
  }
}

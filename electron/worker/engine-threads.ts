import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Failure } from '../../shared/model/failure.ts';
import { Tally } from '../engine/record/tally.ts';
import type { EngineCalls, EngineNotice, EngineThreadData } from './engine-calls.ts';
import { Thread } from './thread.ts';
import { WriterThreads } from './writer-threads.ts';

/**
 * MB. Buffers of forwarded data are only freed when V8 collects the young generation. With V8's default of 48 a large
 * upload held 85 MB above idle; with 6 it holds 30 MB and is faster. A busy engine holds 250 MB instead of 400, and its
 * slowest responses take 14 ms instead of 22.
 */
const YOUNG_GENERATION = 6;

/**
 * Percent by which a heap grows before V8 runs a full collection. V8 counts short-lived buffers as growth until they
 * are freed. With its default, 10 MB for a heap as small as the engine's, it ran 40 full collections for a body of
 * 1 GiB: a third of all CPU time.
 */
const HEAP_GROWTH = 300;

export interface EngineThreadsListener {
  onNotice: (notice: EngineNotice) => void;
  onDeath: (reason: string) => void;
  /** One of the engine's helper threads died. */
  onFailure: (failure: Failure) => void;
}

/**
 * The threads of one life of the engine. They load as soon as they are made, which takes longer than all else at the
 * start of the desktop app: it makes them first, and the engine starts once settings and CA are read. Before Electron is
 * ready would be too early: on two cores they then delay Electron itself by as much.
 */
export class EngineThreads {
  readonly engine: Thread<EngineCalls, EngineNotice>;
  readonly writer: WriterThreads;
  /** Counts exchanges written and lost. */
  readonly tally = new Tally();
  readonly sessionPath: string;
  /** What failed before anyone listened. */
  readonly #unheard: Failure[] = [];
  #listener: EngineThreadsListener | null = null;

  /** Creates the session file, in a folder that exists. If that fails, the engine's start says so. */
  constructor(threadFolder: string, sessionPath: string) {
    // Applies to all heaps of the process: V8 has no per-thread setting.
    setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
    this.sessionPath = sessionPath;
    this.writer = new WriterThreads({
      ...{ threadFolder, sessionPath, youngGeneration: YOUNG_GENERATION },
      onFailure: (failure) => this.#failed(failure),
      // An engine that has ended by now needs no writer.
      onSuccessor: (port) => void this.engine.call('writer', port, [port]).catch(() => null),
    });
    const forEngine: EngineThreadData = { writer: this.writer.port, threadFolder, tally: this.tally.shared };
    this.engine = new Thread<EngineCalls, EngineNotice>({
      file: path.join(threadFolder, 'engine-thread.cjs'),
      name: 'roundtrip engine',
      data: forEngine,
      transfer: [this.writer.port],
      youngGeneration: YOUNG_GENERATION,
      onNotice: (notice) => this.#listener?.onNotice(notice),
      // Before anyone listens, the call that starts the engine reports it.
      onDeath: (reason) => this.#listener?.onDeath(reason),
    });
  }

  listen(listener: EngineThreadsListener): void {
    this.#listener = listener;
    for (const failure of this.#unheard.splice(0)) listener.onFailure(failure);
  }

  /** Ends the engine at once, and its writer within `withinMs` milliseconds. */
  async stop(withinMs: number): Promise<void> {
    await this.engine.stop(0);
    await this.writer.stop(withinMs);
  }

  #failed(failure: Failure): void {
    if (this.#listener === null) this.#unheard.push(failure);
    else this.#listener.onFailure(failure);
  }
}

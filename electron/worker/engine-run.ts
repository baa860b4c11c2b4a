import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Failure } from '../../shared/model/failure.ts';
import type { ProxyFacts } from '../../shared/model/proxy/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy/proxy-test.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { Tally } from '../engine/record/tally.ts';
import type { RouteTest } from '../engine/route/test-route.ts';
import type { EngineCalls, EngineNotice, EngineStart, EngineStarted, EngineThreadData } from './engine-calls.ts';
import { Thread } from './thread.ts';
import { WriterThreads } from './writer-threads.ts';

/** The writer may have a second's worth of bodies in hand, and a slow disk; milliseconds. */
const WRITER_GRACE = 10_000;
/** One that could not write for longer than the engine waited for it. */
const STUCK_WRITER_GRACE = 1000;
/** Beyond the grace that its exchanges have: the recorder notices within this whether its writer is stuck. Milliseconds. */
const ENGINE_GRACE = 10_000;

export interface EngineRunOptions {
  threadFolder: string;
  sessionPath: string;
  start: EngineStart;
  /** Ends a start that takes long. */
  signal: AbortSignal;
  onNotice: (notice: EngineNotice) => void;
  onDeath: (reason: string) => void;
  /** A thread beside the engine's died. */
  onFailure: (failure: Failure) => void;
}

interface Threads {
  engine: Thread<EngineCalls, EngineNotice>;
  writer: WriterThreads;
  tally: Tally;
}

/** One life of the engine: its thread, and the writer's thread that goes with it. */
export class EngineRun {
  readonly started: EngineStarted;
  /** Exchanges written and lost; still counts what is lost when the engine's thread has died. */
  readonly tally: Tally;
  readonly #engine: Thread<EngineCalls, EngineNotice>;
  readonly #writer: WriterThreads;

  /** Rejects with what `EngineCalls.start` rejects with, or `engine.thread-died` when aborted; nothing is left running then. */
  static async start(options: EngineRunOptions): Promise<EngineRun> {
    const threads = startThreads(options);
    const abort = () => void threads.engine.stop(0);
    options.signal.addEventListener('abort', abort);
    try {
      return new EngineRun(threads, await threads.engine.call('start', options.start));
    } catch (error) {
      await threads.engine.stop(0);
      await threads.writer.stop(options.signal.aborted ? STUCK_WRITER_GRACE : WRITER_GRACE);
      throw error;
    } finally {
      options.signal.removeEventListener('abort', abort);
    }
  }

  private constructor({ engine, writer, tally }: Threads, started: EngineStarted) {
    this.tally = tally;
    this.#engine = engine;
    this.#writer = writer;
    this.started = started;
  }

  async apply(settings: Settings): Promise<void> {
    await this.#engine.call('apply', settings);
  }

  async useCertificates(ca: { certificatePem: string; keyPem: string }): Promise<void> {
    await this.#engine.call('certificates', ca);
  }

  async applyProxyFacts(facts: ProxyFacts): Promise<void> {
    await this.#engine.call('proxyFacts', facts);
  }

  testProxy(test: RouteTest): Promise<ProxyTest> {
    return this.#engine.call('testProxy', test);
  }

  openProgramPort(wanted: { token: string; port: number }): Promise<number> {
    return this.#engine.call('openProgramPort', wanted);
  }

  async setFeedWanted(wanted: boolean): Promise<void> {
    await this.#engine.call('feed', wanted);
  }

  async flush(): Promise<void> {
    await this.#engine.call('flush', null);
  }

  async clear(): Promise<void> {
    await this.#engine.call('clear', null);
  }

  /** The session goes on in another file. */
  moved(sessionPath: string): void {
    this.#writer.moved(sessionPath);
  }

  /** After the engine's end: waits until what it had sent is written and the session file is free again. */
  async writerGone(): Promise<void> {
    await this.#writer.stop(this.tally.waiting > 0 ? STUCK_WRITER_GRACE : WRITER_GRACE);
  }

  /** Ends well: exchanges get `graceMs` to end, the session is written and closed. Never rejects. */
  async stop(graceMs: number): Promise<void> {
    const stopped = this.#engine.call('stop', { graceMs }).catch(() => null);
    const late = new Promise((resolve) => setTimeout(resolve, graceMs + ENGINE_GRACE).unref());
    await Promise.race([stopped, late]);
    await this.#engine.stop(0);
    await this.writerGone();
  }
}

/**
 * MB. Buffers of what passes wait for the young objects' collection to be freed: with V8's 48 a large upload held 85 MB above
 * idle, with these 30, and faster; a busy engine holds 250 MB, not 400, and its slowest answers take 14 ms, not 22.
 */
const YOUNG_GENERATION = 6;

/**
 * Percent by which a heap grows before V8 looks through the whole of it. To V8 buffers that die young are growth until they are
 * freed; by its own rule, 10 MB for a heap as small as the engine's, it did so 40 times for a body of 1 GiB, at a third of
 * all CPU.
 */
const HEAP_GROWTH = 300;

function startThreads({ threadFolder, sessionPath, onNotice, onDeath, onFailure }: EngineRunOptions): Threads {
  // Of all heaps of the process: V8 knows no such limit of one thread.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const writer = new WriterThreads({
    ...{ threadFolder, sessionPath, youngGeneration: YOUNG_GENERATION, onFailure },
    // An engine that is gone by now needs none.
    onSuccessor: (port) => void engine.call('writer', port, [port]).catch(() => null),
  });
  const tally = new Tally();
  const forEngine: EngineThreadData = { writer: writer.port, threadFolder, tally: tally.shared };
  const engine = new Thread<EngineCalls, EngineNotice>({
    file: path.join(threadFolder, 'engine-thread.cjs'),
    name: 'roundtrip engine',
    data: forEngine,
    transfer: [writer.port],
    youngGeneration: YOUNG_GENERATION,
    onNotice,
    onDeath,
  });
  return { engine, writer, tally };
}

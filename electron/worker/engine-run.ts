import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { Failure } from '../../shared/model/failure.ts';
import type { ProxyFacts } from '../../shared/model/proxy/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy/proxy-test.ts';
import type { ReplayRequest, ReplayResult } from '../../shared/model/replay/replay-request.ts';
import type { RuleList } from '../../shared/model/rule/rule.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { Tally } from '../engine/record/tally.ts';
import type { RouteTest } from '../engine/route/test-route.ts';
import type {
  BreakCalls,
  EngineCalls,
  EngineNotice,
  EngineStart,
  EngineStarted,
  EngineThreadData,
} from './engine-calls.ts';
import type { ReplayBodySource } from './replay/running-replays.ts';
import { Thread } from './thread.ts';
import { WriterThreads } from './writer-threads.ts';

/** The writer may hold a second's worth of unwritten bodies, and the disk may be slow. Milliseconds. */
const WRITER_GRACE = 10_000;
/** For a writer that could not write for longer than the engine waited for it. Milliseconds. */
const STUCK_WRITER_GRACE = 1000;
/** Added to the exchanges' grace period: within this time the recorder notices a stuck writer. Milliseconds. */
const ENGINE_GRACE = 10_000;

export interface EngineRunOptions {
  threadFolder: string;
  sessionPath: string;
  start: EngineStart;
  /** Aborts a slow start. */
  signal: AbortSignal;
  onNotice: (notice: EngineNotice) => void;
  onDeath: (reason: string) => void;
  /** One of the engine's helper threads died. */
  onFailure: (failure: Failure) => void;
}

/** A request that Roundtrip sent and that is in progress. */
export interface StartedReplay {
  /** Its id in the recorded session. */
  exchange: number;
  /** Rejects with `engine.thread-died` only. */
  ended: Promise<ReplayResult>;
}

interface Threads {
  engine: Thread<EngineCalls, EngineNotice>;
  writer: WriterThreads;
  tally: Tally;
}

/** One life of the engine: its thread and the writer threads that belong to it. */
export class EngineRun {
  readonly started: EngineStarted;
  /** Counts exchanges written and lost. It remains readable after the engine thread has died. */
  readonly tally: Tally;
  readonly #engine: Thread<EngineCalls, EngineNotice>;
  readonly #writer: WriterThreads;

  /**
   * Rejects with what `EngineCalls.start` rejects with, or `engine.thread-died` when aborted; in either case no thread
   * is left running.
   */
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

  async applyRules(rules: RuleList): Promise<void> {
    await this.#engine.call('rules', rules);
  }

  callBreaks<N extends keyof BreakCalls>(name: N, input: BreakCalls[N]['input']): Promise<BreakCalls[N]['output']> {
    return this.#engine.call(name, input);
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

  /** Resolves when the exchange has begun. A port in `body` is transferred. */
  async replay(request: ReplayRequest, body: ReplayBodySource): Promise<StartedReplay> {
    const transfer = body.kind === 'port' ? [body.port] : [];
    const { exchange } = await this.#engine.call('replay', { request, body }, transfer);
    return { exchange, ended: this.#engine.call('replayEnd', { exchange }) };
  }

  async resumed(): Promise<void> {
    await this.#engine.call('resumed', null);
  }

  async setFeedWanted(wanted: boolean): Promise<void> {
    await this.#engine.call('feed', wanted);
  }

  /** Resolves with the id of a session that never had an exchange; else with null. */
  async flush(): Promise<string | null> {
    return (await this.#engine.call('flush', null)).empty;
  }

  async clear(): Promise<void> {
    await this.#engine.call('clear', null);
  }

  /** The session continues in another file. */
  moved(sessionPath: string): void {
    this.#writer.moved(sessionPath);
  }

  /** Call it after the engine ended: waits until everything it sent is written and the session file is closed. */
  async writerGone(): Promise<void> {
    await this.#writer.stop(this.tally.waiting > 0 ? STUCK_WRITER_GRACE : WRITER_GRACE);
  }

  /** Shuts down cleanly: gives exchanges `graceMs` to end, then writes and closes the session. Never rejects. */
  async stop(graceMs: number): Promise<void> {
    const stopped = this.#engine.call('stop', { graceMs }).catch(() => null);
    const late = new Promise((resolve) => setTimeout(resolve, graceMs + ENGINE_GRACE).unref());
    await Promise.race([stopped, late]);
    await this.#engine.stop(0);
    await this.writerGone();
  }
}

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

function startThreads({ threadFolder, sessionPath, onNotice, onDeath, onFailure }: EngineRunOptions): Threads {
  // Applies to all heaps of the process: V8 has no per-thread setting.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const writer = new WriterThreads({
    ...{ threadFolder, sessionPath, youngGeneration: YOUNG_GENERATION, onFailure },
    // An engine that has ended by now needs no writer.
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

import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { MessageChannel } from 'node:worker_threads';
import type { ProxyFacts } from '../../shared/model/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy-test.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { Tally } from '../engine/record/tally.ts';
import type { RouteTest } from '../engine/route/test-route.ts';
import type { CheckpointThreadData } from './checkpoint-thread.ts';
import type { EngineCalls, EngineNotice, EngineStart, EngineStarted, EngineThreadData } from './engine-calls.ts';
import type { WriterThreadData } from './session-writer-thread.ts';
import { Thread } from './thread.ts';

/** The writer may have a second's worth of bodies in hand, and a slow disk; milliseconds. */
const WRITER_GRACE = 10_000;
/** Beyond the grace that its exchanges have; milliseconds. */
const ENGINE_GRACE = 5_000;

export interface EngineRunOptions {
  threadFolder: string;
  sessionPath: string;
  start: EngineStart;
  onNotice: (notice: EngineNotice) => void;
  onDeath: (reason: string) => void;
}

/** One life of the engine: its thread, and the writer's thread that goes with it. */
export class EngineRun {
  readonly started: EngineStarted;
  /** Exchanges written and lost; still counts what is lost when the engine's thread has died. */
  readonly tally: Tally;
  readonly #engine: Thread<EngineCalls, EngineNotice>;
  readonly #writer: Thread<Record<never, never>>;
  readonly #checkpoints: Thread<Record<never, never>>;

  /** Rejects with what `EngineCalls.start` rejects with; nothing is left running then. */
  static async start(options: EngineRunOptions): Promise<EngineRun> {
    const threads = startThreads(options);
    try {
      return new EngineRun(threads, await threads.engine.call('start', options.start));
    } catch (error) {
      await threads.engine.stop(0);
      await threads.writer.stop(WRITER_GRACE);
      await threads.checkpoints.stop(WRITER_GRACE);
      throw error;
    }
  }

  private constructor({ engine, writer, checkpoints, tally }: ReturnType<typeof startThreads>, started: EngineStarted) {
    this.tally = tally;
    this.#engine = engine;
    this.#writer = writer;
    this.#checkpoints = checkpoints;
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

  openDoor(door: { token: string; port: number }): Promise<number> {
    return this.#engine.call('openDoor', door);
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

  /** After the engine's end: waits until what it had sent is written and the session file is free again. */
  async writerGone(): Promise<void> {
    await this.#writer.stop(WRITER_GRACE);
    await this.#checkpoints.stop(WRITER_GRACE);
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

function startThreads({ threadFolder, sessionPath, onNotice, onDeath }: EngineRunOptions) {
  // Of all heaps of the process: V8 knows no such limit of one thread.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
  const { port1, port2 } = new MessageChannel();
  const { port1: forward, port2: back } = new MessageChannel();
  const forCheckpoints: CheckpointThreadData = { path: sessionPath, port: back };
  const checkpoints = new Thread<Record<never, never>>({
    file: path.join(threadFolder, 'checkpoint-thread.cjs'),
    name: 'roundtrip checkpoints',
    data: forCheckpoints,
    transfer: [back],
    youngGeneration: YOUNG_GENERATION,
  });
  const forWriter: WriterThreadData = { path: sessionPath, port: port1, checkpoints: forward };
  const writer = new Thread<Record<never, never>>({
    file: path.join(threadFolder, 'session-writer-thread.cjs'),
    name: 'roundtrip session writer',
    data: forWriter,
    transfer: [port1, forward],
    youngGeneration: YOUNG_GENERATION,
  });
  const tally = new Tally();
  const forEngine: EngineThreadData = { writer: port2, threadFolder, tally: tally.shared };
  const engine = new Thread<EngineCalls, EngineNotice>({
    file: path.join(threadFolder, 'engine-thread.cjs'),
    name: 'roundtrip engine',
    data: forEngine,
    transfer: [port2],
    youngGeneration: YOUNG_GENERATION,
    onNotice,
    onDeath,
  });
  return { engine, writer, checkpoints, tally };
}

import type { ProxyFacts } from '../../shared/model/proxy/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy/proxy-test.ts';
import type { ReplayRequest, ReplayResult } from '../../shared/model/replay/replay-request.ts';
import type { RuleList } from '../../shared/model/rule/rule.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { Tally } from '../engine/record/tally.ts';
import type { RouteTest } from '../engine/route/test-route.ts';
import type { BreakCalls, EngineCalls, EngineNotice, EngineStart, EngineStarted } from './engine-calls.ts';
import type { EngineThreads, EngineThreadsListener } from './engine-threads.ts';
import type { ReplayBodySource } from './replay/running-replays.ts';
import type { Thread } from './thread.ts';
import type { WriterThreads } from './writer-threads.ts';

/** The writer may hold a second's worth of unwritten bodies, and the disk may be slow. Milliseconds. */
const WRITER_GRACE = 10_000;
/** For a writer that could not write for longer than the engine waited for it. Milliseconds. */
const STUCK_WRITER_GRACE = 1000;
/** Added to the exchanges' grace period: within this time the recorder notices a stuck writer. Milliseconds. */
const ENGINE_GRACE = 10_000;

export interface EngineRunOptions extends EngineThreadsListener {
  /** They serve this life only. */
  threads: EngineThreads;
  start: EngineStart;
  /** Aborts a slow start. */
  signal: AbortSignal;
}

/** A request that Roundtrip sent and that is on its way. */
export interface StartedReplay {
  /** Its id in the recorded session. */
  exchange: number;
  /** Rejects with `engine.thread-died` only. */
  ended: Promise<ReplayResult>;
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
    const { threads } = options;
    threads.listen(options);
    const abort = () => void threads.engine.stop(0);
    options.signal.addEventListener('abort', abort);
    try {
      return new EngineRun(threads, await threads.engine.call('start', options.start));
    } catch (error) {
      await threads.stop(options.signal.aborted ? STUCK_WRITER_GRACE : WRITER_GRACE);
      throw error;
    } finally {
      options.signal.removeEventListener('abort', abort);
    }
  }

  private constructor({ engine, writer, tally }: EngineThreads, started: EngineStarted) {
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

  async flush(): Promise<void> {
    await this.#engine.call('flush', null);
  }

  async clear(): Promise<void> {
    await this.#engine.call('clear', null);
  }

  /** The session continues in another file. */
  moved(sessionPath: string): void {
    this.#writer.moved(sessionPath);
  }

  /** To be called after the engine ended: waits until everything it sent is written and the session file is closed. */
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

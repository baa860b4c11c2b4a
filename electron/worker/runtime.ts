import type { FeedBatch } from '../../shared/contract/events.ts';
import type { BodyRange, InputOf, OutputOf } from '../../shared/contract/requests.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { Exchange } from '../../shared/model/exchange.ts';
import type { Failure } from '../../shared/model/failure.ts';
import { NO_PROXY_FACTS, type ProxyFacts } from '../../shared/model/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy-test.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { failure, failureOf, roundtripError } from '../engine/errors.ts';
import type { SavedBody } from '../engine/record/save-body.ts';
import type { RouteTest } from '../engine/route/test-route.ts';
import { Deaths } from './deaths.ts';
import type { EngineNotice, EngineVitals } from './engine-calls.ts';
import { EngineRun } from './engine-run.ts';
import type { HarJob, RuntimeOptions } from './recording-types.ts';
import { SessionFile } from './session-file.ts';

/** A fault that kills the engine more often than this in a minute is not cured by starting it again. */
const MOST_DEATHS = 5;
const DEATHS_WITHIN = 60_000;
const STATUS_INTERVAL = 1000;
const NO_VITALS: EngineVitals = { clientConnections: 0, upstreamConnections: 0, bytesNotKept: 0 };

/** Who listens everywhere is reached from here by loopback. */
function proxyUrlOf(host: string, port: number): string {
  const name = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** The engine, its session and their threads, as both hosts hold them. */
export class Runtime {
  readonly #options: RuntimeOptions;
  readonly #session: SessionFile;
  readonly #deaths = new Deaths(MOST_DEATHS, DEATHS_WITHIN);
  #sessionPath: string;
  #settings: Settings;
  #certificates: { certificatePem: string; keyPem: string };
  #proxyFacts = NO_PROXY_FACTS;
  #port: number;
  #host: string;
  #run: EngineRun | null = null;
  #starting: Promise<void> | null = null;
  #state: EngineStatus['state'] = 'starting';
  #proxyUrl = '';
  #failure: Failure | null = null;
  #vitals = NO_VITALS;
  /** Ports of programs that have an address of their own, by their tokens. */
  readonly #doors = new Map<string, number>();
  #feedWanted = false;
  /** Exchanges lost in lives of the engine that are over. */
  #lost = 0;
  /** Of the last batch. Counted here, for an engine that was started again begins anew. */
  #sequence = 0;
  #statusTimer: NodeJS.Timeout | undefined;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    this.#sessionPath = options.sessionPath;
    this.#settings = options.engine.settings;
    this.#certificates = options.engine.certificates;
    this.#port = options.engine.port;
    this.#host = options.engine.host;
    this.#session = new SessionFile(options.threadFolder, options.sessionPath);
  }

  /** Rejects with `engine.port-in-use`, `engine.listen-failed` or `session.open-failed`; the status says it too. */
  async start(port = this.#port): Promise<void> {
    this.#port = port;
    this.#statusTimer ??= setInterval(() => this.#sayStatus(), STATUS_INTERVAL);
    this.#starting = this.#startRun();
    await this.#starting;
  }

  status(): EngineStatus {
    return {
      state: this.#state,
      proxyUrl: this.#proxyUrl,
      failure: this.#failure,
      memory: process.memoryUsage.rss(),
      ...this.#vitals,
    };
  }

  /**
   * Exchanges that were recorded and are in no session file: memory for waiting rows was full, or the engine ended with rows
   * that could not be written. Complete after `stopEngine`.
   */
  losses(): { exchanges: number } {
    return { exchanges: this.#lost + (this.#run?.tally.lost ?? 0) };
  }

  async apply(settings: Settings): Promise<void> {
    this.#settings = settings;
    await this.#run?.apply(settings);
  }

  /** Another CA: tunnels from now on are intercepted with its leaves. */
  async useCertificates(certificates: { certificatePem: string; keyPem: string }): Promise<void> {
    this.#certificates = certificates;
    await this.#run?.useCertificates(certificates);
  }

  /** What was found out about proxies; before `start` too. */
  async applyProxyFacts(facts: ProxyFacts): Promise<void> {
    this.#proxyFacts = facts;
    await this.#run?.applyProxyFacts(facts);
  }

  /** Tries other settings than those in force. Rejects with `engine.stopped`, and as `Engine.testProxy` does. */
  async testProxy(test: RouteTest): Promise<ProxyTest> {
    if (this.#run === null) throw roundtripError('engine.stopped', {});
    return await this.#run.testProxy(test);
  }

  /**
   * The address of a program's own, `http://127.0.0.1:9000`: what comes there is that program's, and told as its sightings. The
   * same again for the same token, in every life of the engine. Rejects with `engine.stopped` or `engine.listen-failed`.
   */
  async openDoor(token: string): Promise<string> {
    if (this.#run === null) throw roundtripError('engine.stopped', {});
    const port = await this.#run.openDoor({ token, port: this.#doors.get(token) ?? 0 });
    this.#doors.set(token, port);
    return proxyUrlOf('127.0.0.1', port);
  }

  async setFeedWanted(wanted: boolean): Promise<number> {
    this.#feedWanted = wanted;
    await this.#run?.setFeedWanted(wanted);
    return this.#sequence;
  }

  async sessionInfo(): Promise<SessionInfo> {
    await this.#flush();
    return await this.#session.call('info', null);
  }

  async clearSession(): Promise<SessionInfo> {
    if (this.#run === null) throw roundtripError('engine.stopped', {});
    await this.#run.clear();
    return await this.#saySession();
  }

  /** Ends this session and goes on in another file. Connections that are open are closed: they belong to the old one. */
  async openSession(sessionPath: string): Promise<SessionInfo> {
    const old = this.#sessionPath;
    await this.#endRun(0);
    this.#sessionPath = sessionPath;
    try {
      await this.start();
    } catch (error) {
      this.#sessionPath = old;
      await this.start();
      throw error;
    }
    await this.#session.open(sessionPath);
    return await this.#saySession();
  }

  /** Where it listens, and whether other machines reach it there. */
  listening(): { open: boolean; port: number } {
    return { open: !/^(127\.|localhost$|::1$)/.test(this.#host), port: this.#port };
  }

  /** Goes on at another address of this machine, on the same port. Connections that are open are closed. */
  async listenOn(host: string): Promise<void> {
    const old = this.#host;
    await this.#endRun(0);
    this.#host = host;
    try {
      await this.start();
    } catch (error) {
      this.#host = old;
      await this.start();
      throw error;
    }
  }

  async page({ after, limit }: InputOf<'exchanges.page'>): Promise<OutputOf<'exchanges.page'>> {
    await this.#flush();
    return await this.#session.call('page', { after, limit });
  }

  async exchange(id: number): Promise<Exchange> {
    await this.#flush();
    return await this.#session.call('get', { id });
  }

  async readBody(input: InputOf<'body.read'>): Promise<BodyRange> {
    await this.#flush();
    return await this.#session.call('body', input);
  }

  /** Rejects with `session.not-found` or `body.write-failed`. */
  async saveBody(save: InputOf<'body.save'>, path: string): Promise<SavedBody> {
    await this.#flush();
    return await this.#session.call('saveBody', { save, path });
  }

  async messages(input: InputOf<'messages.page'>): Promise<OutputOf<'messages.page'>> {
    await this.#flush();
    return await this.#session.call('messages', input);
  }

  async readMessage(input: InputOf<'messages.read'>): Promise<OutputOf<'messages.read'>> {
    await this.#flush();
    return await this.#session.call('message', input);
  }

  async exportHar(job: HarJob): Promise<{ exchanges: number; bytes: number }> {
    await this.#flush();
    return await this.#session.exportHar(job);
  }

  /** Ends the proxy well; the session can still be read and exported. `graceMs`: for exchanges under way. */
  async stopEngine(graceMs: number): Promise<void> {
    clearInterval(this.#statusTimer);
    await this.#starting?.catch(() => null);
    await this.#endRun(graceMs);
  }

  async close(graceMs: number): Promise<void> {
    await this.stopEngine(graceMs);
    await this.#session.close();
  }

  async #endRun(graceMs: number): Promise<void> {
    const run = this.#run;
    this.#run = null;
    await run?.stop(graceMs);
    this.#countLosses(run);
  }

  /** Once its writer is gone: what waits now waits for ever. */
  #countLosses(run: EngineRun | null): void {
    if (run !== null) this.#lost += run.tally.lost + run.tally.waiting;
  }

  async #startRun(): Promise<void> {
    const { threadFolder, engine } = this.#options;
    try {
      const run = await EngineRun.start({
        threadFolder,
        sessionPath: this.#sessionPath,
        start: {
          ...engine,
          settings: this.#settings,
          proxyFacts: this.#proxyFacts,
          host: this.#host,
          port: this.#port,
          certificates: { ...engine.certificates, ...this.#certificates },
        },
        onNotice: (notice) => this.#onNotice(notice),
        onDeath: (reason) => void this.#onDeath(reason),
      });
      this.#isRunning(run);
    } catch (error) {
      this.#setState('failed', failureOf(error));
      throw error;
    }
    if (this.#feedWanted) await this.#run?.setFeedWanted(true);
    await Promise.all([...this.#doors].map(([token, port]) => this.#reopen(token, port)));
  }

  /** Programs know their addresses by now. One that is taken is said, and holds nothing else up. */
  async #reopen(token: string, port: number): Promise<void> {
    try {
      await this.#run?.openDoor({ token, port });
    } catch (error) {
      this.#options.listener.onFailure(failureOf(error));
    }
  }

  #isRunning(run: EngineRun): void {
    const { host, port } = run.started;
    this.#run = run;
    // Clients know the address by now: the next life of the engine has to be found at the same one.
    this.#port = port;
    this.#proxyUrl = proxyUrlOf(host, port);
    this.#setState('running', this.#failure);
  }

  async #onDeath(detail: string): Promise<void> {
    const run = this.#run;
    if (run === null) return;
    this.#run = null;
    this.#vitals = NO_VITALS;
    // A gap: whatever batches died with it, windows read pages again.
    this.#sequence += 1;
    const died = failure('engine.thread-died', { detail });
    this.#options.listener.onFailure(died);
    this.#setState('restarting', died);
    await run.writerGone();
    this.#countLosses(run);
    if (this.#deaths.another()) return this.#setState('failed', died);
    this.#starting = this.#startRun();
    await this.#starting.catch((error: unknown) => this.#options.listener.onFailure(failureOf(error)));
  }

  #onNotice(notice: EngineNotice): void {
    if (notice.kind === 'feed') this.#relay(notice.batch);
    else if (notice.kind === 'vitals') this.#vitals = notice.vitals;
    else if (notice.kind === 'sighting') this.#options.listener.onSighting(notice.sighting);
    else {
      this.#failure = notice.failure;
      this.#options.listener.onFailure(notice.failure);
      this.#sayStatus();
    }
  }

  #relay(batch: FeedBatch): void {
    this.#sequence += 1;
    this.#options.listener.onFeed({ ...batch, sequence: this.#sequence });
  }

  #setState(state: EngineStatus['state'], of: Failure | null): void {
    this.#state = state;
    this.#failure = of;
    if (state === 'failed') this.#proxyUrl = '';
    this.#sayStatus();
  }

  #sayStatus(): void {
    this.#options.listener.onStatus(this.status());
  }

  async #saySession(): Promise<SessionInfo> {
    const session = await this.sessionInfo();
    this.#options.listener.onSession(session);
    return session;
  }

  /** What is read has to have been written first. An engine that is gone has nothing left to write. */
  async #flush(): Promise<void> {
    await this.#run?.flush().catch(() => null);
  }
}

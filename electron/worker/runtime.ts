import type { FeedBatch } from '../../shared/contract/events.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { ProxyFacts } from '../../shared/model/proxy/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy/proxy-test.ts';
import type { ReplayRequest } from '../../shared/model/replay/replay-request.ts';
import type { RuleList } from '../../shared/model/rule/rule.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { RouteTest } from '../engine/route/test-route.ts';
import { failureOf, roundtripError } from '../failures/errors.ts';
import { BreakAccess } from './break-access.ts';
import type { EngineNotice } from './engine-calls.ts';
import type { StartedReplay } from './engine-run.ts';
import { type CaPems, DesiredState } from './lives/desired-state.ts';
import { EngineLives } from './lives/engine-lives.ts';
import { isOpenToNetwork, proxyUrlOf } from './lives/listen-address.ts';
import { StatusBoard } from './lives/status-board.ts';
import type { RuntimeOptions } from './recording-types.ts';
import { type ReplayContent, sourceOf } from './replay/replay-content.ts';
import { SessionAccess } from './session-access.ts';
import { SessionFile } from './session-file.ts';
import { SessionRegistry } from './session-registry.ts';

const STATUS_INTERVAL = 1000;

/** The engine, the sessions and their threads. Both hosts, desktop and headless, use it. */
export class Runtime {
  /** The session that is being recorded at the time of each call. */
  readonly recorded: SessionAccess;
  readonly sessions: SessionRegistry;
  readonly breaks: BreakAccess;
  readonly #options: RuntimeOptions;
  readonly #session: SessionFile;
  readonly #desired: DesiredState;
  readonly #board: StatusBoard;
  readonly #lives: EngineLives;
  /** Sequence number of the last batch. Counted here because a restarted engine starts again at 1. */
  #sequence = 0;
  #whole = true;
  #statusTimer: NodeJS.Timeout | undefined;
  /** The last requested start, with what precedes it. */
  #starting: Promise<void> | undefined;

  constructor(options: RuntimeOptions) {
    this.#options = options;
    const { listener, engine, threadFolder } = options;
    const onFailure = (about: Failure) => listener.onFailure(about);
    this.#session = new SessionFile(threadFolder, options.sessionPath, onFailure);
    this.recorded = new SessionAccess({ file: this.#session, flush: () => this.#flush(), id: null });
    this.sessions = new SessionRegistry({
      threadFolder,
      recorded: this.recorded,
      onChange: (sessions) => listener.onSessions(sessions),
      onFailure,
    });
    this.#desired = new DesiredState(engine.settings, engine.certificates);
    this.breaks = new BreakAccess(() => this.#lives.run, this.#desired);
    this.#board = new StatusBoard(
      (status) => listener.onStatus(status),
      () => ({ waiting: this.#lives.waiting, lost: this.#lives.lost }),
    );
    this.#lives = new EngineLives(options, this.#desired, this.#board, {
      onNotice: (notice) => this.#onNotice(notice),
      onFailure,
      onRunning: () => this.#rejoin(),
      // Leaves a gap in the sequence, which makes windows reload: batches may have been lost with the engine.
      onDeath: () => {
        this.#sequence += 1;
        listener.onBreaks([]);
      },
    });
  }

  /**
   * Rejects with `engine.port-in-use`, `engine.listen-failed` or `session.open-failed`; the status shows it too.
   * `prepare`: what the engine needs first. Reads of the recorded session wait for both.
   */
  async start(port = this.#lives.place.port, prepare: () => Promise<void> = async () => {}): Promise<void> {
    this.#statusTimer ??= setInterval(() => this.#board.say(), STATUS_INTERVAL);
    this.#session.hold();
    this.#starting = prepare().then(() => this.#lives.start(port));
    await this.#starting;
  }

  status(): EngineStatus {
    return this.#board.status;
  }

  /**
   * Exchanges that are missing from the session file because the memory for waiting rows was full or because the engine
   * ended with rows that could not be written. Includes exchanges whose start is in the file but whose end is not. The
   * count is final after `stopEngine`. `whole` is false if another program damaged the file and what was in it could
   * not be saved completely, bodies included.
   */
  losses(): { exchanges: number; whole: boolean } {
    return { exchanges: this.#lives.lost, whole: this.#whole };
  }

  /** The machine slept: see `Engine.resumed`. */
  async resumed(): Promise<void> {
    await this.#lives.run?.resumed();
  }

  async apply(settings: Settings): Promise<void> {
    this.#desired.settings = settings;
    await this.#lives.run?.apply(settings);
  }

  /** Applies from the next request and the next response on, in each life of the engine; before `start` too. */
  async applyRules(rules: RuleList): Promise<void> {
    this.#desired.rules = rules;
    await this.#lives.run?.applyRules(rules);
  }

  /** Switches to another CA: new tunnels are intercepted with its leaf certificates. */
  async useCertificates(certificates: CaPems): Promise<void> {
    this.#desired.certificates = certificates;
    await this.#lives.run?.useCertificates(certificates);
  }

  /** Applies the proxy facts. May be called before `start`. */
  async applyProxyFacts(facts: ProxyFacts): Promise<void> {
    this.#desired.proxyFacts = facts;
    await this.#lives.run?.applyProxyFacts(facts);
  }

  /** Tries other settings than the current ones. Rejects with `engine.stopped`, and as `Engine.testProxy` does. */
  async testProxy(test: RouteTest): Promise<ProxyTest> {
    const { run } = this.#lives;
    if (run === null) throw roundtripError('engine.stopped', {});
    return await run.testProxy(test);
  }

  /**
   * Sends a request that no client sent; resolves when its exchange has begun. Rejects with `engine.stopped`,
   * `replay.bad-request`, or as `SessionAccess.bodyPort`.
   */
  async replay(request: ReplayRequest, body: ReplayContent): Promise<StartedReplay> {
    const { run } = this.#lives;
    if (run === null) throw roundtripError('engine.stopped', {});
    return await run.replay(request, await sourceOf(body));
  }

  /**
   * Returns a proxy address for one program, such as `http://127.0.0.1:9000`; its requests are reported as sightings of
   * that program. A token keeps its address in every life of the engine. Rejects with `engine.stopped` or
   * `engine.listen-failed`.
   */
  async openProgramPort(token: string): Promise<string> {
    const { run } = this.#lives;
    if (run === null) throw roundtripError('engine.stopped', {});
    const port = await run.openProgramPort({ token, port: this.#desired.programPorts.get(token) ?? 0 });
    this.#desired.programPorts.set(token, port);
    return proxyUrlOf('127.0.0.1', port);
  }

  async setFeedWanted(wanted: boolean): Promise<number> {
    this.#desired.feed = wanted;
    await this.#lives.run?.setFeedWanted(wanted);
    return this.#sequence;
  }

  async clearSession(): Promise<SessionInfo> {
    await this.#lives.between((run) => {
      if (run === null) throw roundtripError('engine.stopped', {});
      return run.clear();
    });
    return await this.#saySession();
  }

  /** Ends this session and continues in another file. Closes open connections: they belong to the old session. */
  async recordInto(sessionPath: string): Promise<SessionInfo> {
    await this.#lives.goOnAt({ sessionPath });
    this.#board.moved(null);
    await this.#session.open(sessionPath);
    return await this.#saySession();
  }

  /** `open`: whether other machines can reach the listener. */
  listening(): { open: boolean; port: number } {
    const { host, port } = this.#lives.place;
    return { open: isOpenToNetwork(host), port };
  }

  /** Moves the listener to another address of this machine, on the same port. Closes open connections. */
  listenOn(host: string): Promise<void> {
    return this.#lives.goOnAt({ host });
  }

  /** Stops the proxy; the session can still be read and exported. Active exchanges get `graceMs` to end. */
  async stopEngine(graceMs: number): Promise<void> {
    clearInterval(this.#statusTimer);
    await this.#lives.end(graceMs);
  }

  async close(graceMs: number): Promise<void> {
    await this.stopEngine(graceMs);
    await this.sessions.end();
    await this.#session.close();
  }

  #onNotice(notice: EngineNotice): void {
    const { listener } = this.#options;
    if (notice.kind === 'feed') this.#relay(notice.batch);
    else if (notice.kind === 'vitals') this.#board.vitals = notice.vitals;
    else if (notice.kind === 'reverse') this.#board.reverse(notice.listeners);
    else if (notice.kind === 'breaks') listener.onBreaks(notice.messages);
    else if (notice.kind === 'console') listener.onConsole(notice.line);
    else if (notice.kind === 'sighting') listener.onSighting(notice.sighting);
    else if (notice.kind === 'failure') listener.onFailure(notice.failure);
    else if (notice.kind === 'recording') {
      this.#board.recording(notice.failure);
      if (notice.failure === null) this.#rejoin();
      // `WriterThreads` has already reported the death with its cause.
      if (notice.failure && notice.failure.code !== 'session.writer-died') listener.onFailure(notice.failure);
    } else {
      listener.onFailure(notice.failure);
      this.#whole &&= notice.whole;
      this.#board.moved(notice.failure);
      void this.#follow(notice.path).catch((error: unknown) => listener.onFailure(failureOf(error)));
    }
  }

  /** A reader that opened the session while nothing wrote it reads it as one that never changes. */
  #rejoin(): void {
    // The thread's death is reported elsewhere.
    void this.#session.follow().catch(() => null);
  }

  /** The writer continues in another file. */
  async #follow(sessionPath: string): Promise<void> {
    this.#lives.moved(sessionPath);
    await this.#session.open(sessionPath);
    await this.#saySession();
  }

  #relay(batch: FeedBatch): void {
    this.#sequence += 1;
    this.#options.listener.onFeed({ ...batch, sequence: this.#sequence });
  }

  async #saySession(): Promise<SessionInfo> {
    const session = await this.recorded.info();
    this.#options.listener.onSession(session);
    return session;
  }

  /**
   * Rows must be written before they can be read. An engine that has ended has nothing left to write. A window that
   * reads before the engine runs waits for it: the file may not be there yet.
   */
  async #flush(): Promise<string | null> {
    await this.#starting?.catch(() => null);
    return (await this.#lives.run?.flush().catch(() => null)) ?? null;
  }
}

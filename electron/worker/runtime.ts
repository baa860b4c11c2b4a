import type { FeedBatch } from '../../shared/contract/events.ts';
import type { EngineStatus } from '../../shared/model/engine-status.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { ProxyFacts } from '../../shared/model/proxy/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy/proxy-test.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { RouteTest } from '../engine/route/test-route.ts';
import { failureOf, roundtripError } from '../failures/errors.ts';
import type { EngineNotice } from './engine-calls.ts';
import { type CaPems, DesiredState } from './lives/desired-state.ts';
import { EngineLives } from './lives/engine-lives.ts';
import { isOpenToNetwork, proxyUrlOf } from './lives/listen-address.ts';
import { StatusBoard } from './lives/status-board.ts';
import type { RuntimeOptions } from './recording-types.ts';
import { SessionAccess } from './session-access.ts';
import { SessionFile } from './session-file.ts';
import { SessionRegistry } from './session-registry.ts';

const STATUS_INTERVAL = 1000;

/** The engine, the sessions and their threads, as both hosts hold them. */
export class Runtime {
  /** The session that is being recorded, whichever it is at the time of a call. */
  readonly recorded: SessionAccess;
  readonly sessions: SessionRegistry;
  readonly #options: RuntimeOptions;
  readonly #session: SessionFile;
  readonly #desired: DesiredState;
  readonly #board: StatusBoard;
  readonly #lives: EngineLives;
  /** Of the last batch. Counted here, for an engine that was started again begins anew. */
  #sequence = 0;
  #statusTimer: NodeJS.Timeout | undefined;

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
    this.#board = new StatusBoard(
      (status) => listener.onStatus(status),
      () => ({ waiting: this.#lives.waiting, lost: this.#lives.lost }),
    );
    this.#lives = new EngineLives(options, this.#desired, this.#board, {
      onNotice: (notice) => this.#onNotice(notice),
      onFailure,
      // A gap: whatever batches died with it, windows read pages again.
      onDeath: () => {
        this.#sequence += 1;
      },
    });
  }

  /** Rejects with `engine.port-in-use`, `engine.listen-failed` or `session.open-failed`; the status says it too. */
  async start(port = this.#lives.place.port): Promise<void> {
    this.#statusTimer ??= setInterval(() => this.#board.say(), STATUS_INTERVAL);
    await this.#lives.start(port);
  }

  status(): EngineStatus {
    return this.#board.status;
  }

  /**
   * Exchanges that were recorded and are in no session file: memory for waiting rows was full, or the engine ended with rows
   * that could not be written. One whose beginning is in the file counts if its end is not. Complete after `stopEngine`.
   */
  losses(): { exchanges: number } {
    return { exchanges: this.#lives.lost };
  }

  async apply(settings: Settings): Promise<void> {
    this.#desired.settings = settings;
    await this.#lives.run?.apply(settings);
  }

  /** Another CA: tunnels from now on are intercepted with its leaves. */
  async useCertificates(certificates: CaPems): Promise<void> {
    this.#desired.certificates = certificates;
    await this.#lives.run?.useCertificates(certificates);
  }

  /** What was found out about proxies; before `start` too. */
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
   * An address for one program, `http://127.0.0.1:9000`: what comes there is reported as sightings of that program. It is the
   * same for the same token, in every life of the engine. Rejects with `engine.stopped` or `engine.listen-failed`.
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

  /** Ends this session and goes on in another file. Connections that are open are closed: they belong to the old one. */
  async recordInto(sessionPath: string): Promise<SessionInfo> {
    await this.#lives.goOnAt({ sessionPath });
    this.#board.moved(null);
    await this.#session.open(sessionPath);
    return await this.#saySession();
  }

  /** Where it listens, and whether other machines reach it there. */
  listening(): { open: boolean; port: number } {
    const { host, port } = this.#lives.place;
    return { open: isOpenToNetwork(host), port };
  }

  /** Goes on at another address of this machine, on the same port. Connections that are open are closed. */
  listenOn(host: string): Promise<void> {
    return this.#lives.goOnAt({ host });
  }

  /** Ends the proxy well; the session can still be read and exported. `graceMs`: for exchanges under way. */
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
    else if (notice.kind === 'sighting') listener.onSighting(notice.sighting);
    else if (notice.kind === 'failure') listener.onFailure(notice.failure);
    else if (notice.kind === 'recording') {
      this.#board.recording(notice.failure);
      // Who restarts the writer reported that it died, and knows why.
      if (notice.failure && notice.failure.code !== 'session.writer-died') listener.onFailure(notice.failure);
    } else {
      listener.onFailure(notice.failure);
      this.#board.moved(notice.failure);
      void this.#follow(notice.path).catch((error: unknown) => listener.onFailure(failureOf(error)));
    }
  }

  /** The writer went on in another file. */
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

  /** What is read has to have been written first. An engine that is gone has nothing left to write. */
  async #flush(): Promise<void> {
    await this.#lives.run?.flush().catch(() => null);
  }
}

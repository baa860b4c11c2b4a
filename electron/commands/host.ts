import path from 'node:path';
import type { Notice, Reply } from '../../shared/contract/envelope.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { RemovedSession } from '../../shared/model/session/session-entry.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { KeyGuard } from '../engine/ca/ca-files.ts';
import type { CertificateAuthority } from '../engine/ca/certificate-authority.ts';
import { roundtripError, systemCode } from '../failures/errors.ts';
import { fileProblem } from '../files/file-problem.ts';
import { makeFolder } from '../files/make-folder.ts';
import { RunningWork } from '../files/running-work.ts';
import { readAutoDetect } from '../system/proxy/read/auto-detect.ts';
import { readSystemProxy } from '../system/proxy/read/read-system-proxy.ts';
import { readWpadPlaces } from '../system/proxy/wpad/read-wpad-places.ts';
import type { Command } from '../system/run-command.ts';
import { LabRunner } from '../worker/lab/lab-runner.ts';
import { OtlpRunner } from '../worker/otlp/otlp-runner.ts';
import { Runtime } from '../worker/runtime.ts';
import { ScriptChecker } from '../worker/script/script-checker.ts';
import { dispatch } from './dispatch.ts';
import type { FileSink, HostServices } from './host-services.ts';
import { runAll } from './run-all.ts';
import { BatteryWatch } from './services/battery-watch.ts';
import { CaKeeper } from './services/ca-keeper.ts';
import { ClientService } from './services/client-service.ts';
import { findProxyHints } from './services/proxy-hints.ts';
import { ProxyTester } from './services/proxy-tester.ts';
import { ProxyWatch } from './services/proxy-watch.ts';
import { ReplayService } from './services/replay/replay-service.ts';
import { RequestStore } from './services/replay/request-store.ts';
import { RuleStore } from './services/rule-store.ts';
import { AgentRules } from './services/rules/agent-rules.ts';
import { ScriptConsole } from './services/script-console.ts';
import { SessionHome } from './services/session-home.ts';
import { SettingsStore } from './services/settings-store.ts';
import { SystemProxyService } from './services/system-proxy-service.ts';
import { TrustService } from './services/trust-service.ts';
import { Windows } from './windows.ts';

export interface HostOptions {
  kind: HostServices['info']['host'];
  version: string;
  /** The folder of the threads' bundles. */
  threadFolder: string;
  dataFolder: string;
  /** Folder of the CA; default: the data folder. */
  caFolder?: string;
  /** Encrypts the CA's key and the upstream proxy's password; null: this host can't. */
  guard: KeyGuard | null;
  /** Settings from the command line; they apply to this run only. */
  overrides: Partial<Settings>;
  /** The rules file of this run; null: `rules.json` in the data folder, if there is one. */
  rulesFile: string | null;
  listen: { host: string; port: number };
  sessionPath: string;
  /** `host:port` of Roundtrip's UI, which the proxy refuses to connect to. */
  refusedAuthorities: string[];
  files: FileSink;
  chooseProgram: HostServices['chooseProgram'];
  reveal: HostServices['reveal'];
  /** Whether the machine currently runs on battery. */
  onBattery: () => boolean;
  /** Command that runs the watchdog of the system's proxy. */
  watchdog: Command;
  /** A program requested that this host end. */
  onStop: () => void;
  /** The host deleted sessions at startup because of the setting `pruning`. */
  onPruned: (sessions: readonly RemovedSession[]) => void;
  /** Reports a failure to the windows and commands that watch the host. */
  onFailure: (failure: Failure) => void;
}

/** Throws `session.open-failed`. */
function makeSessionFolder(session: string): void {
  try {
    makeFolder(path.dirname(session));
  } catch (error) {
    const detail = fileProblem(error, session);
    throw roundtripError('session.open-failed', { path: session, detail }, systemCode(error));
  }
}

/** A UI's connection to the host. */
export interface Connection {
  /** Never rejects. */
  dispatch(message: unknown): Promise<Reply>;
  close(): void;
}

/** The parts of a host, and what was read when it opened. */
interface HostParts {
  settings: SettingsStore;
  ca: CaKeeper;
  rules: RuleStore;
  scripts: ScriptChecker;
}

/** A host without its transport: engine, session, settings, CA and the request handlers. */
export class Host {
  readonly #options: HostOptions;
  /** A host that only reads does not change the data folder. */
  #hasStarted = false;
  readonly runtime: Runtime;
  readonly settings: SettingsStore;
  readonly rules: RuleStore;
  readonly #agentRules: AgentRules;
  readonly #console = new ScriptConsole();
  readonly #scripts: ScriptChecker;
  readonly home: SessionHome;
  readonly replays: ReplayService;
  readonly #ca: CaKeeper;
  readonly windows: Windows;
  readonly #services: HostServices;
  readonly #clients: ClientService;
  readonly #systemProxy: SystemProxyService;
  readonly #proxies: ProxyWatch;
  readonly #battery: BatteryWatch;
  readonly #otlp: OtlpRunner;
  readonly work = new RunningWork();

  /**
   * Starts neither engine nor proxy. Rejects with `session.open-failed`, `ca.unreadable` or `ca.write-failed`, or what
   * `SettingsStore` throws.
   */
  static async open(options: HostOptions): Promise<Host> {
    makeSessionFolder(options.sessionPath);
    const { guard, dataFolder, overrides } = options;
    const settings = new SettingsStore({ folder: dataFolder, guard, overrides });
    const { caFolder = dataFolder } = options;
    const ca = await CaKeeper.open(caFolder, guard);
    if (caFolder !== dataFolder) ca.standsBeside(dataFolder);
    const scripts = new ScriptChecker(options.threadFolder);
    const rules = await RuleStore.open(dataFolder, options.rulesFile, scripts.check);
    return new Host(options, { settings, ca, rules, scripts });
  }

  private constructor(options: HostOptions, { settings, ca, rules, scripts }: HostParts) {
    this.#options = options;
    const { dataFolder, onFailure } = options;
    this.settings = settings;
    this.rules = rules;
    this.#scripts = scripts;
    this.#agentRules = new AgentRules(this.rules);
    this.#ca = ca;
    this.windows = this.#makeWindows();
    this.#battery = new BatteryWatch({
      onBattery: options.onBattery,
      onChange: () => void this.#apply(settings.current()).catch(() => null),
    });
    this.runtime = this.#makeRuntime(options);
    const requests = new RequestStore(dataFolder);
    this.home = this.#makeHome(options);
    this.replays = new ReplayService({
      engine: this.runtime,
      sessions: this.runtime.sessions,
      variables: () => requests.state().saved.variables,
    });
    this.#otlp = new OtlpRunner(options);
    this.#proxies = new ProxyWatch(settings.current(), {
      ...this.#proxySources,
      onChange: (facts) => void this.runtime.applyProxyFacts(facts).catch(() => null),
    });
    this.#clients = this.#makeClients(options);
    this.#systemProxy = this.#makeSystemProxy(options);
    this.#services = this.#makeServices(options, requests);
    this.#follow(settings, ca);
    this.#followRules(options);
    if (settings.problem) onFailure(settings.problem);
    for (const notice of ca.notices()) onFailure(notice);
  }

  /** The system's own proxy, not the one that we set: it would lead back to us. */
  get #proxySources() {
    return { readSystem: () => this.#systemProxy.original(), readWpadPlaces: () => readWpadPlaces() };
  }

  /** Keeps the engine and the windows up to date with settings and CA. */
  #follow(settings: SettingsStore, ca: CaKeeper): void {
    settings.onChange((store) => {
      void this.#apply(store.current()).catch(() => null);
      this.windows.notifyAll('settings.changed', store.shown());
    });
    ca.onChange(({ certificatePem, keyPem }) => {
      void this.runtime.useCertificates({ certificatePem, keyPem }).catch(() => null);
    });
  }

  get authority(): CertificateAuthority {
    return this.#ca.authority;
  }

  /** Rejects with what `Runtime.start` rejects with. `port`: replaces the port in the options. */
  async start(port?: number): Promise<void> {
    this.#tidy();
    this.rules.watch();
    this.#agentRules.start();
    await this.runtime.start(port, () => this.#prepare());
    // Looks for every browser: nothing waits for it.
    void this.#clients.sweep();
  }

  /** Takes seconds on a network that must be searched for a proxy, while windows are already open. */
  async #prepare(): Promise<void> {
    await this.#systemProxy.recover();
    // The upstream route must be known before the first request arrives.
    await this.#proxies.follow(this.settings.current());
    this.#otlp.start(this.settings.current().otlp);
  }

  /** A session that can't be deleted does not prevent the host's start. */
  #tidy(): void {
    const { sessionPath, onPruned, onFailure } = this.#options;
    this.#hasStarted = true;
    for (const failure of this.home.tidy(sessionPath, this.settings.current().pruning)) onFailure(failure);
    if (this.home.pruned().length > 0) onPruned(this.home.pruned());
  }

  /** Reads a changed upstream route before applying it: until it is read, requests would fail. */
  async #apply(settings: Settings): Promise<void> {
    this.#otlp.apply(settings.otlp);
    if (this.#proxies.isAbout(settings)) await this.#proxies.follow(settings);
    await this.runtime.apply(this.#battery.effective(this.settings.current()));
  }

  /** Keeps the engine and the windows up to date with the rules, and reports faults in their file. */
  #followRules({ rulesFile, onFailure }: HostOptions): void {
    void this.runtime.applyRules(this.rules.forEngine()).catch(() => null);
    let applied = this.rules.revision;
    this.rules.onChange((store) => {
      // Only if they changed: a list that is applied again restarts its match counts.
      if (store.revision !== applied) void this.runtime.applyRules(store.forEngine()).catch(() => null);
      applied = store.revision;
      const state = store.state();
      this.windows.notifyAll('rules.changed', state);
      if (state.failure) onFailure(state.failure);
    });
    const { failure } = this.rules.state();
    // Without the requested file, the host's owner does not start it.
    if (failure && rulesFile === null) onFailure(failure);
  }

  get info(): HostServices['info'] {
    return this.#services.info;
  }

  /** `files`: how this UI gets files; null: in the same way as the host's own windows. */
  connect(send: (notice: Notice) => void, files: FileSink | null = null): Connection {
    const window = this.windows.add(send);
    const host = files === null ? this.#services : { ...this.#services, files };
    const context = { host, windows: this.windows, window };
    return {
      dispatch: (message) => dispatch(message, context),
      close: () => {
        this.windows.remove(window);
        this.#agentRules.left(window);
      },
    };
  }

  /**
   * Stops the proxy; active exchanges get `graceMs` to end. The session can still be read. If one step fails, the
   * others still run; rejects with the first failure.
   */
  async stopProxy(graceMs: number): Promise<void> {
    await runAll(
      () => this.#agentRules.close(),
      () => this.rules.close(),
      () => this.#proxies.close(),
      () => this.#battery.close(),
      () => this.#systemProxy.close(),
      () => this.#clients.close(),
      () => this.runtime.stopEngine(graceMs),
      // Everything is in the session file now.
      () => this.#otlp.finish(),
    );
  }

  /** Cancels imports and runs of the lab, which remove what they left half done while the proxy stops. */
  async close(graceMs: number): Promise<void> {
    const ended = this.work.end();
    await runAll(
      () => this.stopProxy(graceMs),
      () => ended,
      () => this.runtime.close(0),
      () => this.#hasStarted && this.home.removeUnused(),
      () => this.#scripts.close(),
    );
  }

  #makeWindows(): Windows {
    return new Windows(
      (wanted) => void this.runtime.setFeedWanted(wanted).catch(() => null),
      (watched) => void this.runtime.breaks.setWatched(watched).catch(() => null),
    );
  }

  #makeClients({ dataFolder, threadFolder }: HostOptions): ClientService {
    return new ClientService({
      authority: () => this.authority,
      dataFolder,
      bundleFolder: threadFolder,
      proxyUrl: () => this.runtime.status().proxyUrl,
      openProgramPort: (token) => this.runtime.openProgramPort(token),
      onChange: (clients) => this.windows.notifyAll('clients.changed', { clients }),
    });
  }

  #makeSystemProxy({ dataFolder, watchdog }: HostOptions): SystemProxyService {
    return new SystemProxyService({
      dataFolder,
      proxyUrl: () => this.runtime.status().proxyUrl,
      watchdog,
      readSystem: () => readSystemProxy(),
      onChange: (status) => this.windows.notifyAll('system-proxy.changed', status),
    });
  }

  #makeServices(options: HostOptions, requests: RequestStore): HostServices {
    const { kind, version, dataFolder, threadFolder, files, chooseProgram, reveal } = options;
    const sources = this.#proxySources;
    return {
      info: { version, host: kind, platform: process.platform, dataFolder },
      stop: options.onStop,
      recording: this.runtime,
      sessions: this.runtime.sessions,
      home: this.home,
      settings: this.settings,
      rules: this.rules,
      agentRules: this.#agentRules,
      console: this.#console,
      checkScript: this.#scripts.check,
      breaks: this.runtime.breaks,
      replays: this.replays,
      requests,
      proxyTester: new ProxyTester(this.settings, this.runtime, sources),
      proxyHints: () => findProxyHints({ ...sources, readAutoDetect: () => readAutoDetect() }),
      trust: new TrustService(this.#ca),
      clients: this.#clients,
      otlpStatus: () => this.#otlp.status(),
      systemProxy: this.#systemProxy,
      lab: new LabRunner(threadFolder, this.work),
      files,
      chooseProgram,
      reveal,
    };
  }

  #makeHome({ dataFolder, threadFolder }: HostOptions): SessionHome {
    const { sessions } = this.runtime;
    return new SessionHome({
      ...{ dataFolder, threadFolder, work: this.work },
      list: () => sessions.list(),
      open: (file) => sessions.open(file),
      close: (id) => sessions.close(id),
      recordInto: (file) => this.runtime.recordInto(file),
    });
  }

  #makeRuntime(options: HostOptions): Runtime {
    const { threadFolder, sessionPath, listen, refusedAuthorities, dataFolder, onFailure } = options;
    const { certificatePem, keyPem } = this.authority;
    const leafFolder = options.caFolder ?? dataFolder;
    return new Runtime({
      threadFolder,
      sessionPath,
      engine: {
        ...listen,
        settings: this.#battery.effective(this.settings.current()),
        certificates: { certificatePem, keyPem, leafFolder },
        refusedAuthorities,
      },
      listener: {
        onFeed: (batch) => this.windows.feed(batch),
        onStatus: (status) => {
          this.windows.notifyAll('engine.status', status);
          // Otherwise all programs that use the system's proxy would lose their network.
          if (status.state === 'failed') void this.#systemProxy.close();
        },
        onSession: (session) => {
          this.#otlp.moved(session.path);
          this.windows.notifyAll('session.changed', session);
        },
        onSessions: (sessions) => this.windows.notifyAll('sessions.changed', { sessions: this.home.named(sessions) }),
        onBreaks: (messages) => this.windows.notifyAll('breaks.changed', { messages }),
        onConsole: (line) => this.windows.notifyAll('console.lines', { lines: [this.#console.add(line)] }),
        onSighting: (sighting) => this.#clients.sighted(sighting),
        onFailure,
      },
    });
  }
}

import path from 'node:path';
import type { Notice, Reply } from '../../shared/contract/envelope.ts';
import type { Failure } from '../../shared/model/failure.ts';
import type { SessionInfo } from '../../shared/model/session-info.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { KeyGuard } from '../engine/ca/ca-files.ts';
import type { CertificateAuthority } from '../engine/ca/certificate-authority.ts';
import { roundtripError, systemCode } from '../failures/errors.ts';
import { fileProblem } from '../files/file-problem.ts';
import { makeFolder } from '../files/make-folder.ts';
import { readAutoDetect } from '../system/proxy/read/auto-detect.ts';
import { readSystemProxy } from '../system/proxy/read/read-system-proxy.ts';
import { readWpadPlaces } from '../system/proxy/wpad/read-wpad-places.ts';
import type { Command } from '../system/run-command.ts';
import { Runtime } from '../worker/runtime.ts';
import { dispatch } from './dispatch.ts';
import type { FileSink, HostServices } from './host-services.ts';
import { runAll } from './run-all.ts';
import { BatteryWatch } from './services/battery-watch.ts';
import { CaKeeper } from './services/ca-keeper.ts';
import { ClientService } from './services/client-service.ts';
import { findProxyHints } from './services/proxy-hints.ts';
import { ProxyTester } from './services/proxy-tester.ts';
import { ProxyWatch } from './services/proxy-watch.ts';
import { SettingsStore } from './services/settings-store.ts';
import { SystemProxyService } from './services/system-proxy-service.ts';
import { TrustService } from './services/trust-service.ts';
import { Windows } from './windows.ts';

export interface HostOptions {
  kind: HostServices['info']['host'];
  version: string;
  /** Where the threads' bundles are. */
  threadFolder: string;
  dataFolder: string;
  /** Where the CA is kept; the data folder unless told otherwise. */
  caFolder?: string;
  /** Seals the CA's key and the upstream proxy's password, where the host can. */
  guard: KeyGuard | null;
  /** The command line's settings, for this run. */
  overrides: Partial<Settings>;
  listen: { host: string; port: number };
  sessionPath: string;
  /** `host:port` of our own UI, which the proxy refuses. */
  refusedAuthorities: string[];
  files: FileSink;
  chooseProgram: HostServices['chooseProgram'];
  /** Whether the machine runs on its battery now. */
  onBattery: () => boolean;
  /** What the watchdog of the system's proxy is run by. */
  watchdog: Command;
  /** What is worth a line to whoever watches the host. */
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

/** A UI's end of its connection to the host. */
export interface Connection {
  /** Never rejects. */
  dispatch(message: unknown): Promise<Reply>;
  close(): void;
}

/** Everything of a host but its transport: engine, session, settings, CA and the handlers over them. */
export class Host {
  readonly runtime: Runtime;
  readonly settings: SettingsStore;
  readonly #ca: CaKeeper;
  readonly windows: Windows;
  readonly #services: HostServices;
  readonly #clients: ClientService;
  readonly #systemProxy: SystemProxyService;
  readonly #proxies: ProxyWatch;
  readonly #battery: BatteryWatch;

  /** Nothing runs yet. Rejects with `session.open-failed`, `ca.unreadable` or `ca.write-failed`, or what `SettingsStore` throws. */
  static async open(options: HostOptions): Promise<Host> {
    makeSessionFolder(options.sessionPath);
    const { guard, dataFolder, overrides } = options;
    const settings = new SettingsStore({ folder: dataFolder, guard, overrides });
    const { caFolder = dataFolder } = options;
    const ca = await CaKeeper.open(caFolder, guard);
    if (caFolder !== dataFolder) ca.standsBeside(dataFolder);
    return new Host(options, settings, ca);
  }

  private constructor(options: HostOptions, settings: SettingsStore, ca: CaKeeper) {
    const { kind, version, dataFolder, files, chooseProgram, onFailure } = options;
    this.settings = settings;
    this.#ca = ca;
    this.windows = new Windows((wanted) => void this.runtime.setFeedWanted(wanted).catch(() => null));
    this.#battery = new BatteryWatch({
      onBattery: options.onBattery,
      onChange: () => void this.#apply(settings.current()).catch(() => null),
    });
    this.runtime = this.#makeRuntime(options);
    const sources = { readSystem: () => this.#systemProxy.original(), readWpadPlaces: () => readWpadPlaces() };
    this.#proxies = new ProxyWatch(settings.current(), {
      ...sources,
      onChange: (facts) => void this.runtime.applyProxyFacts(facts).catch(() => null),
    });
    this.#clients = new ClientService({
      authority: () => ca.authority,
      dataFolder,
      bundleFolder: options.threadFolder,
      proxyUrl: () => this.runtime.status().proxyUrl,
      openProgramPort: (token) => this.runtime.openProgramPort(token),
      onChange: (clients) => this.windows.notifyAll('clients.changed', { clients }),
    });
    this.#systemProxy = new SystemProxyService({
      dataFolder,
      proxyUrl: () => this.runtime.status().proxyUrl,
      watchdog: options.watchdog,
      readSystem: () => readSystemProxy(),
      onChange: (status) => this.windows.notifyAll('system-proxy.changed', status),
    });
    this.#services = {
      info: { version, host: kind, platform: process.platform, dataFolder },
      recording: this.runtime,
      sessions: this.runtime.sessions,
      settings,
      proxyTester: new ProxyTester(settings, this.runtime, sources),
      proxyHints: () => findProxyHints({ ...sources, readAutoDetect: () => readAutoDetect() }),
      trust: new TrustService(ca),
      clients: this.#clients,
      systemProxy: this.#systemProxy,
      files,
      chooseProgram,
    };
    settings.onChange((store) => {
      void this.#apply(store.current()).catch(() => null);
      this.windows.notifyAll('settings.changed', store.shown());
    });
    ca.onChange(({ certificatePem, keyPem }) => {
      void this.runtime.useCertificates({ certificatePem, keyPem }).catch(() => null);
    });
    if (settings.problem) onFailure(settings.problem);
    for (const notice of ca.notices()) onFailure(notice);
  }

  get authority(): CertificateAuthority {
    return this.#ca.authority;
  }

  /** Rejects with what `Runtime.start` rejects with. `port`: another than was asked for at first. */
  async start(port?: number): Promise<void> {
    await this.#systemProxy.recover();
    void this.#clients.sweep();
    // The first request must not come before it is known which way it goes.
    await this.#proxies.follow(this.settings.current());
    await this.runtime.start(port);
  }

  /** A way that was not read yet would refuse what comes in between, so it is read first. */
  async #apply(settings: Settings): Promise<void> {
    if (this.#proxies.isAbout(settings)) await this.#proxies.follow(settings);
    await this.runtime.apply(this.#battery.effective(this.settings.current()));
  }

  connect(send: (notice: Notice) => void): Connection {
    const window = this.windows.add(send);
    const context = { host: this.#services, windows: this.windows, window };
    return {
      dispatch: (message) => dispatch(message, context),
      close: () => this.windows.remove(window),
    };
  }

  /** Opens a session to read, in each window. Rejects as `SessionRegistry.open`. */
  openSession(sessionPath: string): Promise<SessionInfo> {
    return this.runtime.sessions.open(sessionPath);
  }

  /** Ends this recording and continues in another file. Rejects with `session.open-failed`. */
  recordInto(sessionPath: string): Promise<SessionInfo> {
    return this.runtime.recordInto(sessionPath);
  }

  /** Stops the proxy well; exchanges under way get `graceMs`. The session can still be read. What fails holds nothing else up. */
  async stopProxy(graceMs: number): Promise<void> {
    await runAll(
      () => this.#proxies.close(),
      () => this.#battery.close(),
      () => this.#systemProxy.close(),
      () => this.#clients.close(),
      () => this.runtime.stopEngine(graceMs),
    );
  }

  async close(graceMs: number): Promise<void> {
    await runAll(
      () => this.stopProxy(graceMs),
      () => this.runtime.close(0),
    );
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
          // Programs of the whole system would reach nothing.
          if (status.state === 'failed') void this.#systemProxy.close();
        },
        onSession: (session) => this.windows.notifyAll('session.changed', session),
        onSessions: (sessions) => this.windows.notifyAll('sessions.changed', { sessions }),
        onSighting: (sighting) => this.#clients.sighted(sighting),
        onFailure,
      },
    });
  }
}

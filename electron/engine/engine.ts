import type { Sighting } from '../../shared/model/capture-check.ts';
import type { Failure } from '../../shared/model/failure.ts';
import { type Limits, limitsOf } from '../../shared/model/limits.ts';
import type { ProxyFacts } from '../../shared/model/proxy/proxy-facts.ts';
import type { ProxyTest } from '../../shared/model/proxy/proxy-test.ts';
import type { ReverseStatus } from '../../shared/model/proxy/reverse.ts';
import type { ReplayRequest } from '../../shared/model/replay/replay-request.ts';
import type { HeldSummary } from '../../shared/model/rule/held-message.ts';
import { NO_RULES, type RuleList } from '../../shared/model/rule/rule.ts';
import type { RuleHits } from '../../shared/model/rule/rule-state.ts';
import { namedFigures } from '../../shared/model/rule/throttle.ts';
import type { Settings } from '../../shared/model/settings.ts';
import { ProgramPort } from './check/program-port.ts';
import type { CertificateAuthorityPems, EngineContext, TriedWay } from './engine-context.ts';
import type { ExchangeObserver } from './engine-event.ts';
import { HttpFaces } from './listen/http-faces.ts';
import { type Entry, Listener, type Listening } from './listen/listener.ts';
import { ReverseListeners } from './listen/reverse-listeners.ts';
import { LiveList } from './live-list.ts';
import type { ReplayBody } from './replay/replay-body.ts';
import { type Replay, Replayer } from './replay/replayer.ts';
import { isLoopback, OwnAddresses } from './route/own-addresses.ts';
import { Routes, type RunPac } from './route/routes.ts';
import { type RouteTest, testRoute } from './route/test-route.ts';
import { BreakQueue } from './rules/breaks/break-queue.ts';
import { InterceptDecision } from './rules/intercept-decision.ts';
import { RuleBook } from './rules/rule-book.ts';
import { NO_SCRIPTS, type ScriptHost } from './rules/scripts/script-host.ts';
import { Link } from './rules/throttle/link.ts';
import { LeafCertificates } from './tls/leaf-certificates.ts';
import { Tunnels } from './tunnel/tunnel.ts';
import { ChosenAlpn } from './upstream/chosen-alpn.ts';
import { connectSchedule } from './upstream/connect/connect-schedule.ts';
import type { OpeningContext } from './upstream/connect/open-connection.ts';
import { openSocket } from './upstream/connect/open-socket.ts';
import { TlsSessions } from './upstream/connect/open-tls.ts';
import { DownProxies, type EarlySocket, hasSession, openWay, type WayContext } from './upstream/connect/open-way.ts';
import { ReachedAddresses } from './upstream/connect/reached-addresses.ts';
import { type Acquiring, tryConnecting } from './upstream/connect/try-connecting.ts';
import type { Origin } from './upstream/origin.ts';
import { UpstreamPool } from './upstream/pool.ts';
import { ProxySessions } from './upstream/proxy/proxy-sessions.ts';
import { kerberosTicket } from './upstream/proxy/tickets/kerberos-ticket.ts';
import { UpstreamProxies } from './upstream/proxy/upstream-proxy.ts';
import type { UpstreamTrust } from './upstream/trust/server-trust.ts';
import { UpstreamTrusts } from './upstream/trust/upstream-trusts.ts';
import { WARM_UP_TOKEN, warmUp } from './warm-up.ts';

export interface EngineOptions {
  host: string;
  /** 0 picks a free port. */
  port: number;
  settings: Settings;
  /** The CA that signs leaf certificates. `leafFolder`: the data folder; null keeps leaves in memory only. */
  certificates: { certificatePem: string; keyPem: string; leafFolder: string | null };
  observer: ExchangeObserver;
  /** `host:port` of our own UI. */
  refusedAuthorities: string[];
  /** A capture check's request arrived, or its client rejected our certificate. */
  onSighting?: (sighting: Sighting) => void;
  /** A failure that affects more than one exchange. */
  onFailure?: (failure: Failure) => void;
  /** The reverse listeners changed. */
  onReverse?: (listeners: ReverseStatus[]) => void;
  scripts?: ScriptHost;
  /** All messages that breakpoints hold, when they have changed. */
  onBreaks?: (messages: HeldSummary[]) => void;
  /** The host's proxy configuration, and the interpreter for PAC scripts. */
  proxyFacts?: ProxyFacts;
  runPac?: RunPac;
}

/** The address that clients use as their proxy. */
const COMMON: Entry = { programPort: null, reverse: null };

/** Limit of a route test, milliseconds: a user is waiting for the result. */
const TEST_TIME = 10_000;

/** The settings that determine the route upstream. */
function waySettings({
  upstreamProxy,
  proxySource,
  proxyPac,
  proxyBypass,
  proxyLogin,
  hostOverrides,
}: Settings): string {
  return JSON.stringify([upstreamProxy, proxySource, proxyPac, proxyBypass, proxyLogin, hostOverrides]);
}

/** The settings that determine the slow network of all traffic. */
function throttleSettings({ throttle, throttleProfiles }: Settings): string {
  return JSON.stringify(namedFigures(throttle, throttleProfiles));
}

function linkOf({ throttle, throttleProfiles }: Settings): Link | null {
  const figures = namedFigures(throttle, throttleProfiles);
  return figures && new Link(figures);
}

/** The proxy: plain Node, no window, no disk access except for leaf certificates. */
export class Engine {
  readonly breaks: BreakQueue;
  readonly #listener: Listener;
  readonly #reverse: ReverseListeners;
  readonly #pool: UpstreamPool;
  readonly #context: EngineContext & {
    settings: Settings;
    leaves: LeafCertificates;
    rules: RuleBook;
    link: Link | null;
    forDevices: CertificateAuthorityPems | null;
  };
  readonly #options: EngineOptions;
  #limits: Limits;
  readonly #authorities: string[];
  readonly #programPorts = new Map<string, { programPort: ProgramPort; port: number }>();
  #own: OwnAddresses;
  #decision: InterceptDecision;
  readonly #trusts: UpstreamTrusts;
  readonly #sessions = new TlsSessions();
  readonly #proxies = new UpstreamProxies(kerberosTicket);
  readonly #routes: Routes;
  readonly #downProxies = new DownProxies();
  readonly #reached = new ReachedAddresses();
  readonly #proxySessions: ProxySessions;
  readonly #opening: OpeningContext;
  readonly #replayer: Replayer;
  #address: { host: string; port: number };

  private constructor(options: EngineOptions) {
    const { settings, observer } = options;
    this.#options = options;
    this.breaks = new BreakQueue((messages) => options.onBreaks?.(messages));
    this.#limits = limitsOf(settings.limits);
    const limits = (): Limits => this.#limits;
    this.#routes = new Routes(settings, this.#proxies, options.runPac ?? null);
    if (options.proxyFacts) this.#routes.applyFacts(options.proxyFacts);
    this.#address = { host: options.host, port: options.port };
    this.#authorities = [...options.refusedAuthorities];
    this.#own = new OwnAddresses(this.#authorities);
    this.#decision = new InterceptDecision(settings);
    this.#trusts = new UpstreamTrusts(settings);
    this.#proxySessions = new ProxySessions(() => this.#limits);
    this.#opening = this.#openingContext();
    const opening = this.#opening;
    this.#pool = new UpstreamPool(opening, () => this.#context.settings);
    this.#context = {
      get limits() {
        return limits();
      },
      observer,
      pool: this.#pool,
      leaves: this.#leavesOf(options.certificates),
      settings,
      rules: new RuleBook(NO_RULES),
      link: linkOf(settings),
      breaks: this.breaks,
      scripts: options.scripts ?? NO_SCRIPTS,
      routes: this.#routes,
      chosenAlpn: new ChosenAlpn(),
      isOurs: (host, port) => this.#own.includes(host, port),
      openEarly: (origin: Origin) => (hasSession(origin, opening) ? null : openSocket(origin, opening)),
      openWay: (origin, early, acquiring) => this.#openTried(origin, early, acquiring),
      forDevices: isLoopback(options.host) ? null : options.certificates,
      report: (about) => options.onFailure?.(about),
      sighted: (sighting) => {
        if (sighting.token !== WARM_UP_TOKEN) options.onSighting?.(sighting);
      },
      live: new LiveList(),
    };
    this.#replayer = new Replayer(this.#context);
    const faces = new HttpFaces(this.#context);
    const tunnels = new Tunnels(this.#context, faces, () => this.#decision);
    faces.connect = (socket, connection, head, ahead) => void tunnels.connect(socket, connection, head, ahead);
    this.#listener = new Listener(this.#context, faces, (...request) => void tunnels.socks(...request));
    this.#reverse = new ReverseListeners(
      (...place) => this.#listen(...place),
      (listeners) => options.onReverse?.(listeners),
    );
  }

  #leavesOf({ certificatePem, keyPem }: CertificateAuthorityPems): LeafCertificates {
    const { host, certificates } = this.#options;
    const folder = certificates.leafFolder;
    return new LeafCertificates({ certificatePem, keyPem, folder, localOnly: isLoopback(host) });
  }

  #openingContext(): OpeningContext {
    const settings = (): Settings => this.#context.settings;
    const limits = (): Limits => this.#limits;
    const proxyTrust = (): UpstreamTrust => this.#trusts.ofProxies;
    return {
      downProxies: this.#downProxies,
      reached: this.#reached,
      proxySessions: this.#proxySessions,
      isOurs: (host, port) => this.#own.includes(host, port),
      sessions: this.#sessions,
      trustOf: ({ override }) => this.#trusts.of(override),
      nextConnectionId: () => this.#options.observer.nextConnectionId(),
      connectionEnded: (info) => this.#options.observer.connectionEnded('upstream', info),
      get limits() {
        return limits();
      },
      get connectTime() {
        return limits().connectTime;
      },
      get nagle() {
        return settings().nagle;
      },
      get http2() {
        return settings().http2Upstream;
      },
      get proxyTrust() {
        return proxyTrust();
      },
    };
  }

  async #openTried(origin: Origin, early: EarlySocket | null, acquiring: Acquiring): Promise<TriedWay> {
    const { opened, failed } = await tryConnecting(
      (before) => openWay(origin, this.#opening, before === 0 ? early : null),
      acquiring,
      connectSchedule(this.#reached, () => this.#context.settings),
    );
    return { ...opened, failed };
  }

  /** Rejects with `engine.port-in-use`, `engine.listen-failed`, `proxy.bad-address` or `settings.invalid`. */
  static async start(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options);
    await engine.#context.leaves.ready;
    const { host, port } = await engine.#listen(options.host, options.port, COMMON);
    engine.#address = { host, port };
    await engine.#reverse.apply(options.settings.reverse);
    return engine;
  }

  async #listen(host: string, port: number, entry: Entry): Promise<Listening> {
    const address = await this.#listener.listen(host, port, entry);
    this.#authorities.push(`${address.host}:${address.port}`);
    this.#own = new OwnAddresses(this.#authorities);
    return address;
  }

  /**
   * Opens an additional loopback address for one program. Traffic there is reported as that program's (`onSighting`, by
   * `token`). `port`: 0 picks a free one. If the token already has a port, reporting starts again. Resolves with the
   * port, which stays open until the engine closes. Rejects with `engine.port-in-use` or `engine.listen-failed`.
   */
  async openProgramPort(token: string, port: number): Promise<number> {
    const known = this.#programPorts.get(token);
    if (known) {
      known.programPort.renew();
      return known.port;
    }
    const programPort = new ProgramPort(token, (sighting) => this.#options.onSighting?.(sighting));
    const address = await this.#listen('127.0.0.1', port, { programPort, reverse: null });
    this.#programPorts.set(token, { programPort, port: address.port });
    return address.port;
  }

  /**
   * Sends a request that no client sent, on the path of a client's. Its exchange is recorded even while recording
   * is off. Throws `replay.bad-request`.
   */
  replay(request: ReplayRequest, body: ReplayBody): Replay {
    return this.#replayer.send(request, body);
  }

  get address(): { host: string; port: number } {
    return this.#address;
  }

  /**
   * Does the one-time work that the first exchange would otherwise wait for: some 20 ms of this thread, in pieces.
   * Resolves with whether it succeeded; never rejects.
   */
  warmUp(): Promise<boolean> {
    return warmUp(this.#address, this.#options.certificates.certificatePem);
  }

  /** Applies from the next exchange on. Throws `proxy.bad-address` or `settings.invalid` and then changes nothing. */
  applySettings(settings: Settings): void {
    const before = this.#context.settings;
    this.#routes.check(settings);
    const trustChanged = this.#trusts.apply(settings);
    this.#routes.applySettings(settings);
    const wayChanged = trustChanged || waySettings(before) !== waySettings(settings);
    this.#context.settings = settings;
    // An unchanged link keeps its state: current exchanges share it with later ones.
    if (throttleSettings(before) !== throttleSettings(settings)) this.#context.link = linkOf(settings);
    this.#limits = limitsOf(settings.limits);
    this.#decision = new InterceptDecision(settings);
    void this.#reverse.apply(settings.reverse);
    if (wayChanged || before.nagle !== settings.nagle) this.#wayChanged();
  }

  /** Applies from the next request and response on. Messages held by rules that are now off continue unchanged. */
  applyRules(list: RuleList): void {
    this.#context.rules = new RuleBook(list);
    this.breaks.releaseUnless(this.#context.rules.breaking);
  }

  /** The system's proxy settings, or a PAC file, have changed. */
  applyProxyFacts(facts: ProxyFacts): void {
    this.#routes.applyFacts(facts);
    this.#wayChanged();
  }

  /** Tests settings that are not active. Rejects with `proxy.bad-address` or `settings.invalid`. */
  async testProxy(test: RouteTest): Promise<ProxyTest> {
    // A fresh set of sessions: the test must retry a login that was rejected before.
    const proxySessions = new ProxySessions(() => this.#limits);
    const context: WayContext = {
      nagle: false,
      http2: test.settings.http2Upstream,
      proxySessions,
      connectTime: TEST_TIME,
      downProxies: new DownProxies(),
      reached: new ReachedAddresses(),
      isOurs: (host, port) => this.#own.includes(host, port),
      get proxyTrust() {
        return new UpstreamTrusts(test.settings).ofProxies;
      },
    };
    const proxies = new UpstreamProxies(kerberosTicket);
    const found = await testRoute(test, proxies, this.#options.runPac ?? null, context).finally(() =>
      proxySessions.close(),
    );
    if (found.state !== 'fails') this.#proxies.forget();
    return found;
  }

  /**
   * The machine slept: servers and NATs have dropped its connections silently, and a request on one of them would wait
   * for a timeout. Active exchanges continue; no other one uses their connections.
   */
  resumed(): void {
    this.#downProxies.clear();
    this.#proxySessions.retire();
    this.#pool.retire();
  }

  /** Drops caches: a resumed TLS session would skip changed checks, and a pooled connection uses the old route. */
  #wayChanged(): void {
    this.#sessions.clear();
    this.#context.chosenAlpn.clear();
    this.#downProxies.clear();
    this.#proxySessions.retire();
    this.#pool.retire();
  }

  /** Signs leaf certificates with this CA from the next tunnel on. The previous CA's leaves stay on disk. */
  useCertificates(ca: { certificatePem: string; keyPem: string }): void {
    this.#context.leaves = this.#leavesOf(ca);
    if (this.#context.forDevices) this.#context.forDevices = ca;
  }

  /** Open connections on both sides. `origins`: how many origins the pool keeps an entry for. */
  connections(): { client: number; upstream: number; origins: number } {
    return { client: this.#listener.connections, upstream: this.#pool.size, origins: this.#pool.origins };
  }

  ruleHits(): RuleHits[] {
    return this.#context.rules.hits();
  }

  /** Stops accepting clients, gives open exchanges `graceMs` milliseconds to end, and ends the rest. */
  async close({ graceMs }: { graceMs: number }): Promise<void> {
    this.#listener.stop();
    this.breaks.close();
    const deadline = performance.now() + graceMs;
    while (this.#context.live.size > 0 && performance.now() < deadline) {
      await new Promise((resume) => setTimeout(resume, 10));
    }
    this.#context.live.stopAll();
    this.#listener.destroy();
    this.#pool.close();
    this.#proxySessions.close();
  }
}

import type { Sighting } from '../../shared/model/capture-check.ts';
import type { ProxyFacts } from '../../shared/model/proxy-facts.ts';
import type { Settings } from '../../shared/model/settings.ts';
import type { CertificateAuthorityPems, EngineContext } from './engine-context.ts';
import type { ExchangeObserver } from './engine-event.ts';
import { H2Clients } from './http/h2-client.ts';
import { HttpFaces } from './listen/http-faces.ts';
import { DEFAULT_LIMITS, type Limits } from './listen/limits.ts';
import { Listener } from './listen/listener.ts';
import { isLoopback, OwnAddresses } from './own-addresses.ts';
import { Routes, type RunPac } from './route/routes.ts';
import { InterceptDecision } from './rules/intercept-decision.ts';
import { LeafCertificates } from './tls/leaf-certificates.ts';
import { Tunnels } from './tunnel/tunnel.ts';
import { openSocket } from './upstream/open-socket.ts';
import { TlsSessions } from './upstream/open-tls.ts';
import { DownProxies, openWay } from './upstream/open-way.ts';
import type { Origin } from './upstream/origin.ts';
import { UpstreamPool } from './upstream/pool.ts';
import { type UpstreamTrust, upstreamTlsOptions } from './upstream/server-trust.ts';
import { UpstreamProxies } from './upstream/upstream-proxy.ts';

export interface EngineOptions {
  host: string;
  /** 0: any free one. */
  port: number;
  settings: Settings;
  /** The CA that signs leaves; `leafFolder`: the data folder, null: leaves are kept in memory only. */
  certificates: { certificatePem: string; keyPem: string; leafFolder: string | null };
  observer: ExchangeObserver;
  /** `host:port` of our own UI. */
  refusedAuthorities: string[];
  /** A capture check's request came, or its client refused us. */
  onSighting?: (sighting: Sighting) => void;
  limits?: Partial<Limits>;
  /** What the host found out about proxies, and the interpreter of PAC scripts. */
  proxyFacts?: ProxyFacts;
  runPac?: RunPac;
}

/** Settings that decide the way upstream. */
function waySettings({
  upstreamProxy,
  proxySource,
  proxyPac,
  proxyBypass,
  proxyLogin,
  proxyCaFiles,
}: Settings): string {
  return JSON.stringify([upstreamProxy, proxySource, proxyPac, proxyBypass, proxyLogin, proxyCaFiles]);
}

/** The proxy: plain Node, no window, no disk but for leaves. */
export class Engine {
  readonly #listener: Listener;
  readonly #pool: UpstreamPool;
  readonly #context: EngineContext & {
    settings: Settings;
    leaves: LeafCertificates;
    forDevices: CertificateAuthorityPems | null;
  };
  readonly #options: EngineOptions;
  #own: OwnAddresses;
  #decision: InterceptDecision;
  #trust: UpstreamTrust;
  readonly #sessions = new TlsSessions();
  readonly #proxies = new UpstreamProxies(null);
  readonly #routes: Routes;
  readonly #downProxies = new DownProxies();
  #proxyTrust: UpstreamTrust | null = null;
  #address: { host: string; port: number };

  private constructor(options: EngineOptions) {
    const { settings, observer } = options;
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    this.#options = options;
    this.#routes = new Routes(settings, this.#proxies, options.runPac ?? null);
    if (options.proxyFacts) this.#routes.applyFacts(options.proxyFacts);
    this.#address = { host: options.host, port: options.port };
    this.#own = new OwnAddresses(options.refusedAuthorities);
    this.#decision = new InterceptDecision(settings);
    this.#trust = upstreamTlsOptions(settings);
    const opening = this.#openingContext(limits);
    this.#pool = new UpstreamPool(opening, () => this.#context.settings);
    this.#context = {
      limits,
      observer,
      pool: this.#pool,
      leaves: new LeafCertificates({ ...options.certificates, folder: options.certificates.leafFolder }),
      http2: new H2Clients(limits),
      settings,
      routes: this.#routes,
      chosenAlpn: new Map(),
      isOurs: (host, port) => this.#own.includes(host, port),
      openEarly: (origin: Origin) =>
        openSocket(origin, { nagle: this.#context.settings.nagle, connectTime: limits.connectTime }),
      openWay: (origin, early) => openWay(origin, opening, early),
      forDevices: isLoopback(options.host) ? null : options.certificates,
      sighted: (sighting) => options.onSighting?.(sighting),
      live: new Set(),
    };
    const faces = new HttpFaces(this.#context);
    const tunnels = new Tunnels(this.#context, faces, () => this.#decision);
    faces.connect = (socket, connection, head, ahead) => void tunnels.connect(socket, connection, head, ahead);
    this.#listener = new Listener(this.#context, faces);
  }

  #openingContext(limits: Limits): ConstructorParameters<typeof UpstreamPool>[0] {
    const nagle = (): boolean => this.#context.settings.nagle;
    const trust = (): UpstreamTrust => this.#trust;
    const proxyTrust = (): UpstreamTrust => this.#trustForProxies();
    return {
      limits,
      connectTime: limits.connectTime,
      downProxies: this.#downProxies,
      isOurs: (host, port) => this.#own.includes(host, port),
      sessions: this.#sessions,
      nextConnectionId: () => this.#options.observer.nextConnectionId(),
      get nagle() {
        return nagle();
      },
      get trust() {
        return trust();
      },
      get proxyTrust() {
        return proxyTrust();
      },
    };
  }

  /** Made when the first HTTPS proxy is met; `insecureUpstream` is about origins, and a proxy is told passwords. */
  #trustForProxies(): UpstreamTrust {
    const { upstreamCaFiles, proxyCaFiles } = this.#context.settings;
    const upstreamCas = { upstreamCaFiles: [...upstreamCaFiles, ...proxyCaFiles], insecureUpstream: false };
    this.#proxyTrust ??= upstreamTlsOptions(upstreamCas);
    return this.#proxyTrust;
  }

  /** Rejects with `engine.port-in-use`, `engine.listen-failed`, `proxy.bad-address` or `settings.invalid`. */
  static async start(options: EngineOptions): Promise<Engine> {
    const engine = new Engine(options);
    await engine.#context.leaves.ready;
    engine.#address = await engine.#listener.listen(options.host, options.port);
    const { host, port } = engine.#address;
    engine.#own = new OwnAddresses([...options.refusedAuthorities, `${host}:${port}`]);
    return engine;
  }

  get address(): { host: string; port: number } {
    return this.#address;
  }

  /** Takes effect on the next exchange. Throws `proxy.bad-address` or `settings.invalid`, and leaves all as it was. */
  applySettings(settings: Settings): void {
    const before = this.#context.settings;
    this.#routes.applySettings(settings);
    const trustChanged =
      before.insecureUpstream !== settings.insecureUpstream ||
      before.upstreamCaFiles.join('\0') !== settings.upstreamCaFiles.join('\0');
    if (trustChanged) this.#trust = upstreamTlsOptions(settings);
    if (trustChanged || before.proxyCaFiles.join('\0') !== settings.proxyCaFiles.join('\0')) this.#proxyTrust = null;
    const wayChanged = trustChanged || waySettings(before) !== waySettings(settings) || before.nagle !== settings.nagle;
    this.#context.settings = settings;
    this.#decision = new InterceptDecision(settings);
    if (wayChanged) this.#wayChanged();
  }

  /** The system's settings, or a PAC file, say something else now. */
  applyProxyFacts(facts: ProxyFacts): void {
    this.#routes.applyFacts(facts);
    this.#wayChanged();
  }

  /** A resumed TLS session would skip the checks that changed; a pooled connection goes the way that changed. */
  #wayChanged(): void {
    this.#sessions.clear();
    this.#context.chosenAlpn.clear();
    this.#downProxies.clear();
    this.#pool.dropIdle();
  }

  /** Leaves are signed by this CA from the next tunnel on; those of the one before stay on disk beside it. */
  useCertificates(ca: { certificatePem: string; keyPem: string }): void {
    this.#context.leaves = new LeafCertificates({ ...ca, folder: this.#options.certificates.leafFolder });
    if (this.#context.forDevices) this.#context.forDevices = ca;
  }

  connections(): { client: number; upstream: number } {
    return { client: this.#listener.connections, upstream: this.#pool.size };
  }

  /** Takes no more clients, gives what is open `graceMs` milliseconds to end, and ends the rest. */
  async close({ graceMs }: { graceMs: number }): Promise<void> {
    this.#listener.stop();
    const deadline = performance.now() + graceMs;
    while (this.#context.live.size > 0 && performance.now() < deadline) {
      await new Promise((resume) => setTimeout(resume, 10));
    }
    for (const each of [...this.#context.live]) each.stop();
    this.#listener.destroy();
    this.#pool.close();
  }
}

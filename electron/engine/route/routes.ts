import { type ProxyAddress, parseProxyUrl, withoutLogin } from '../../../shared/format/proxy-url.ts';
import { NO_PROXY_FACTS, type ProxyFacts, type SystemProxy } from '../../../shared/model/proxy/proxy-facts.ts';
import type { HostOverride, Settings } from '../../../shared/model/settings.ts';
import { describe, failure, RoundtripError, roundtripError } from '../../failures/errors.ts';
import { ConnectionError } from '../upstream/connect/connection-error.ts';
import type { UpstreamProxies, UpstreamProxy } from '../upstream/proxy/upstream-proxy.ts';
import { BypassList } from './bypass.ts';
import { HostOverrides } from './host-overrides.ts';
import { readPacAnswer, shownAnswer } from './pac-answer.ts';
import type { Route, RouteTarget } from './route.ts';

/** Runs a PAC script: resolves with its answer for a URL and host. Rejects with a RoundtripError. */
export type RunPac = (script: string, url: string, host: string) => Promise<string>;

/** How long a PAC answer is cached, milliseconds: scripts may depend on the time. */
const PAC_ANSWER_LIFE = 60_000;
const PAC_ANSWERS_KEPT = 1_000;

function direct(reason: string): Route {
  return { proxy: null, others: [], reason, override: null };
}

function urlOf({ scheme, host, port }: RouteTarget): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return `${scheme}://${name}${port === (scheme === 'http' ? 80 : 443) ? '' : `:${port}`}/`;
}

/** Chooses the upstream route of each target from the settings and the detected proxy facts. */
export class Routes {
  readonly #proxies: UpstreamProxies;
  readonly #runPac: RunPac | null;
  readonly #answers = new Map<string, { at: number; route: Promise<Route> }>();
  #settings: Settings;
  #facts: ProxyFacts = NO_PROXY_FACTS;
  #bypass = new BypassList([]);
  #systemBypass = new BypassList([]);
  #overrides = new HostOverrides([]);
  #always: Route | null = null;

  /** Throws `proxy.bad-address`. */
  constructor(settings: Settings, proxies: UpstreamProxies, runPac: RunPac | null) {
    this.#proxies = proxies;
    this.#runPac = runPac;
    this.#settings = settings;
    this.applySettings(settings);
  }

  /** Throws `proxy.bad-address` if `applySettings` would. */
  check(settings: Settings): void {
    this.#alwaysOf(settings);
    for (const { proxy } of settings.hostOverrides) {
      if (proxy !== '' && proxy !== 'direct') this.#proxyOf(proxy, settings);
    }
  }

  /** Throws `proxy.bad-address` and then changes nothing. */
  applySettings(settings: Settings): void {
    this.check(settings);
    const always = this.#alwaysOf(settings);
    this.#overrides = new HostOverrides(settings.hostOverrides);
    this.#settings = settings;
    this.#bypass = new BypassList(settings.proxyBypass);
    this.#always = always;
    this.#answers.clear();
  }

  applyFacts(facts: ProxyFacts): void {
    this.#facts = facts;
    this.#systemBypass = new BypassList(facts.system?.bypass ?? []);
    this.#answers.clear();
  }

  /** Synchronous unless a PAC script has to run. The promise rejects with a ConnectionError. */
  find(target: RouteTarget): Route | Promise<Route> {
    const override = this.#overrides.find(target.host);
    return override ? this.#overridden(override, target) : this.#decide(target);
  }

  #overridden(override: HostOverride, target: RouteTarget): Route | Promise<Route> {
    const { proxy, host } = override;
    if (proxy === 'direct') return { ...direct(`the host rule ${host} uses no proxy`), override };
    if (proxy !== '')
      return { ...direct(`the host rule ${host} sets it`), proxy: this.#proxyOf(proxy, this.#settings), override };
    const decided = this.#decide(target);
    return decided instanceof Promise ? decided.then((route) => ({ ...route, override })) : { ...decided, override };
  }

  #decide(target: RouteTarget): Route | Promise<Route> {
    if (this.#always && (this.#always.proxy === null || this.#bypass.empty)) return this.#always;
    const bypassed = this.#bypass.find(target.host, target.port);
    if (bypassed !== null) return direct(`the bypass list names ${bypassed}`);
    if (this.#always) return this.#always;
    const { system, problem } = this.#facts;
    if (problem) return Promise.reject(new ConnectionError(problem, false));
    if (this.#settings.proxySource === 'system') return this.#system(target, system);
    return this.#pac(target, this.#settings.proxySource === 'wpad' ? 'the PAC file of WPAD' : 'the PAC file');
  }

  #alwaysOf(settings: Settings): Route | null {
    const { enabled, url } = settings.upstreamProxy;
    if (!enabled) return direct('no upstream proxy is set');
    if (settings.proxySource !== 'manual') return null;
    if (url === '') return direct('the upstream proxy has no address');
    return {
      proxy: this.#proxyOf(url, settings),
      others: [],
      reason: 'it is the upstream proxy in the settings',
      override: null,
    };
  }

  #proxyOf(url: string, settings: Settings): UpstreamProxy {
    try {
      return this.#make(parseProxyUrl(url), settings);
    } catch (error) {
      throw roundtripError('proxy.bad-address', { url: withoutLogin(url), detail: describe(error) });
    }
  }

  #make(address: ProxyAddress, settings: Settings): UpstreamProxy {
    const { user, password } = settings.proxyLogin;
    return this.#proxies.make(address, user === '' ? null : { user, password });
  }

  #system(target: RouteTarget, system: SystemProxy | null): Route | Promise<Route> {
    if (!system) return direct('the system has no proxy');
    const bypassed = this.#systemBypass.find(target.host, target.port);
    if (bypassed !== null) return direct(`${system.from}: ${bypassed} bypasses the proxy`);
    if (system.pac !== null) return this.#pac(target, `the PAC file of ${system.from}`);
    const url = system[target.scheme] ?? system.other;
    if (url === null) return direct(`${system.from} set no proxy for ${target.scheme}`);
    try {
      return {
        proxy: this.#proxyOf(url, this.#settings),
        others: [],
        reason: `${system.from} set it`,
        override: null,
      };
    } catch (error) {
      if (!(error instanceof RoundtripError)) throw error;
      return Promise.reject(new ConnectionError(error.failure, false));
    }
  }

  #pac(target: RouteTarget, where: string): Route | Promise<Route> {
    const { pac } = this.#facts;
    if (!pac || !this.#runPac) {
      const about = failure('proxy.pac-unreadable', {
        where: this.#settings.proxyPac || where,
        detail: 'not read yet',
      });
      return Promise.reject(new ConnectionError(about, false));
    }
    // Without the path: a third party's script learns the host, not the resource.
    const url = urlOf(target);
    const known = this.#answers.get(url);
    if (known && performance.now() - known.at < PAC_ANSWER_LIFE) return known.route;
    const route = this.#askPac(pac, url, target.host, where);
    if (this.#answers.size >= PAC_ANSWERS_KEPT) this.#answers.clear();
    this.#answers.set(url, { at: performance.now(), route });
    route.catch(() => this.#answers.delete(url));
    return route;
  }

  async #askPac(pac: { from: string; script: string }, url: string, host: string, where: string): Promise<Route> {
    try {
      const answer = (await this.#runPac?.(pac.script, url, host)) ?? '';
      const ways = readPacAnswer(answer).map((each) => each && this.#make(each, this.#settings));
      const [proxy = null, ...others] = ways;
      return {
        proxy,
        others,
        reason: `${where} (${pac.from}) returned ${shownAnswer(answer) || 'nothing, which means DIRECT'}`,
        override: null,
      };
    } catch (error) {
      const about =
        error instanceof RoundtripError
          ? error.failure
          : failure('proxy.pac-failed', { where: pac.from, detail: describe(error) });
      throw new ConnectionError(about, false);
    }
  }
}

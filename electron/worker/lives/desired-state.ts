import { NO_PROXY_FACTS, type ProxyFacts } from '../../../shared/model/proxy/proxy-facts.ts';
import { NO_RULES, type RuleList } from '../../../shared/model/rule/rule.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { EngineRun } from '../engine-run.ts';

export interface CaPems {
  certificatePem: string;
  keyPem: string;
}

/** The host's current configuration for each life of the engine. */
export class DesiredState {
  settings: Settings;
  certificates: CaPems;
  proxyFacts: ProxyFacts = NO_PROXY_FACTS;
  rules: RuleList = NO_RULES;
  feed = false;
  breaksWatched = false;
  /** Ports of programs with a dedicated address, by their tokens. */
  readonly programPorts = new Map<string, number>();

  constructor(settings: Settings, certificates: CaPems) {
    this.settings = settings;
    this.certificates = certificates;
  }

  /** The configuration with which an engine starts. */
  current(): Pick<DesiredState, 'settings' | 'certificates' | 'proxyFacts' | 'rules'> {
    const { settings, certificates, proxyFacts, rules } = this;
    return { settings, certificates, proxyFacts, rules };
  }

  /**
   * Updates an engine that was started with `before`: applies what changed while it started, and what a start does not
   * include. Never rejects; `onError` receives each failure, and the rest is still applied.
   */
  async reconcile(run: EngineRun, before: ReturnType<DesiredState['current']>, onError: (error: unknown) => void) {
    const { settings, certificates, proxyFacts, rules } = this;
    const calls: Promise<unknown>[] = [];
    if (proxyFacts !== before.proxyFacts) calls.push(run.applyProxyFacts(proxyFacts));
    if (rules !== before.rules) calls.push(run.applyRules(rules));
    if (settings !== before.settings) calls.push(run.apply(settings));
    if (certificates !== before.certificates) calls.push(run.useCertificates(certificates));
    if (this.feed) calls.push(run.setFeedWanted(true));
    if (this.breaksWatched) calls.push(run.callBreaks('watchBreaks', true));
    // Programs already know their addresses: reopen the same ports.
    for (const [token, port] of this.programPorts) calls.push(run.openProgramPort({ token, port }));
    for (const result of await Promise.allSettled(calls)) if (result.status === 'rejected') onError(result.reason);
  }
}

import type { InputOf } from '../../../shared/contract/requests.ts';
import type { ProxyTest } from '../../../shared/model/proxy/proxy-test.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import type { Runtime } from '../../worker/runtime.ts';
import { findProxyFacts, type ProxySources } from './proxy-watch.ts';
import type { SettingsStore } from './settings-store.ts';

/** Tests proxy settings before they are applied. */
export class ProxyTester {
  readonly #settings: SettingsStore;
  readonly #runtime: Runtime;
  readonly #sources: ProxySources;

  constructor(settings: SettingsStore, runtime: Runtime, sources: ProxySources) {
    this.#settings = settings;
    this.#runtime = runtime;
    this.#sources = sources;
  }

  /** Rejects with `proxy.bad-address`, `settings.invalid` or `engine.stopped`; a failed test is part of the result. */
  async test({ settings: change, target }: InputOf<'proxy.test'>): Promise<ProxyTest> {
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    const settings: Settings = this.#settings.with(Object.fromEntries(given));
    const facts = await findProxyFacts(settings, this.#sources);
    const colon = target.lastIndexOf(':');
    const place = { host: target.slice(0, colon).replace(/^\[|\]$/g, ''), port: Number(target.slice(colon + 1)) };
    return await this.#runtime.testProxy({ settings, facts, target: place });
  }
}

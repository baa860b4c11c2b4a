import { urlWithoutLogin } from '../../../shared/format/proxy-url.ts';
import { NO_PROXY_FACTS, type ProxyFacts, type SystemProxy } from '../../../shared/model/proxy/proxy-facts.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { failureOf } from '../../failures/errors.ts';
import { findPac, type ReadWpadPlaces } from './find-pac.ts';
import { readPac } from './read-pac.ts';

/** Polling interval for the system's settings and PAC files, in milliseconds. */
const INTERVAL = 10_000;

/**
 * If the server of a PAC file does not respond for a moment, traffic continues: the last script stays valid for this
 * many further readings, which is one minute.
 */
const READINGS_MISSED = 6;

/** Sources of proxy settings on this machine. Neither function rejects. */
export interface ProxySources {
  readSystem: () => Promise<SystemProxy | null>;
  readWpadPlaces: ReadWpadPlaces;
}

export interface ProxyWatchOptions extends ProxySources {
  onChange: (facts: ProxyFacts) => void;
  interval?: number;
}

type Wanted = Pick<Settings, 'upstreamProxy' | 'proxySource' | 'proxyPac'>;

/** Reads the facts that these settings need. Never rejects: if something can't be read, `problem` has the reason. */
export async function findProxyFacts(settings: Wanted, sources: ProxySources): Promise<ProxyFacts> {
  const { upstreamProxy, proxySource, proxyPac } = settings;
  if (!upstreamProxy.enabled || proxySource === 'manual') return NO_PROXY_FACTS;
  const system = proxySource === 'system' ? await sources.readSystem() : null;
  const where = proxySource === 'pac' ? proxyPac : (system?.pac ?? '');
  if (where === '' && proxySource !== 'wpad') return { system, pac: null, problem: null };
  try {
    if (proxySource === 'wpad') return { system, pac: await findPac(sources.readWpadPlaces), problem: null };
    return { system, pac: { from: urlWithoutLogin(where), script: await readPac(where) }, problem: null };
  } catch (error) {
    return { system, pac: null, problem: failureOf(error) };
  }
}

/** Polls the system's proxy settings and PAC files if the settings use them, and reports changes. */
export class ProxyWatch {
  readonly #options: ProxyWatchOptions;
  #settings: Wanted;
  #facts = NO_PROXY_FACTS;
  #said = JSON.stringify(NO_PROXY_FACTS);
  #timer: NodeJS.Timeout | null = null;
  #reading: Promise<void> = Promise.resolve();
  #missed = 0;

  constructor(settings: Wanted, options: ProxyWatchOptions) {
    this.#settings = settings;
    this.#options = options;
  }

  get facts(): ProxyFacts {
    return this.#facts;
  }

  /** Whether these settings need other facts than the previous ones. */
  isAbout({ upstreamProxy, proxySource, proxyPac }: Wanted): boolean {
    const before = this.#settings;
    const same = proxySource === before.proxySource && proxyPac === before.proxyPac;
    return !same || upstreamProxy.enabled !== before.upstreamProxy.enabled;
  }

  /** Reads immediately what these settings need; resolves when it is known. Never rejects. */
  async follow(settings: Wanted): Promise<void> {
    this.#settings = settings;
    this.#missed = READINGS_MISSED;
    const wanted = settings.upstreamProxy.enabled && settings.proxySource !== 'manual';
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = wanted ? setInterval(() => void this.read(), this.#options.interval ?? INTERVAL) : null;
    this.#timer?.unref();
    await this.read();
  }

  /** Runs readings one after the other: an older result must not replace a newer one. */
  async read(): Promise<void> {
    this.#reading = this.#reading.then(async () => this.#say(await findProxyFacts(this.#settings, this.#options)));
    await this.#reading;
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Whether a script from an HTTP server stays valid although it could not be read again. */
  #outlives({ system, problem }: ProxyFacts): boolean {
    const { pac, system: before } = this.#facts;
    if (problem === null) this.#missed = 0;
    const known = pac !== null && /^https?:/i.test(pac.from) && JSON.stringify(system) === JSON.stringify(before);
    if (problem === null || !known || this.#missed >= READINGS_MISSED) return false;
    this.#missed += 1;
    return true;
  }

  #say(facts: ProxyFacts): void {
    if (this.#outlives(facts)) return;
    const said = JSON.stringify(facts);
    if (said === this.#said) return;
    this.#said = said;
    this.#facts = facts;
    this.#options.onChange(facts);
  }
}

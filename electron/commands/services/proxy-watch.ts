import { urlWithoutLogin } from '../../../shared/format/proxy-url.ts';
import { NO_PROXY_FACTS, type ProxyFacts, type SystemProxy } from '../../../shared/model/proxy/proxy-facts.ts';
import type { Settings } from '../../../shared/model/settings.ts';
import { failureOf } from '../../failures/errors.ts';
import { findPac, type ReadWpadPlaces } from './find-pac.ts';
import { readPac } from './read-pac.ts';

/** How long a change of the system's settings, or of a PAC file, takes to be seen; milliseconds. */
const INTERVAL = 10_000;

/**
 * A PAC file's server that does not answer for a moment does not stop all traffic: the script read last counts for so many more
 * readings, a minute.
 */
const READINGS_MISSED = 6;

/** What the machine knows of proxies. Neither rejects. */
export interface ProxySources {
  readSystem: () => Promise<SystemProxy | null>;
  readWpadPlaces: ReadWpadPlaces;
}

export interface ProxyWatchOptions extends ProxySources {
  onChange: (facts: ProxyFacts) => void;
  interval?: number;
}

type Wanted = Pick<Settings, 'upstreamProxy' | 'proxySource' | 'proxyPac'>;

/** What these settings want to be known. Never rejects: what could not be read is told as its `problem`. */
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

/** Reads the system's proxy settings and PAC files where the settings want them, again and again, and says when they changed. */
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

  /** Whether these settings want something else read than those before. */
  isAbout({ upstreamProxy, proxySource, proxyPac }: Wanted): boolean {
    const before = this.#settings;
    const same = proxySource === before.proxySource && proxyPac === before.proxyPac;
    return !same || upstreamProxy.enabled !== before.upstreamProxy.enabled;
  }

  /** Reads at once what these settings want; resolves when it is known. Never rejects. */
  async follow(settings: Wanted): Promise<void> {
    this.#settings = settings;
    this.#missed = READINGS_MISSED;
    const wanted = settings.upstreamProxy.enabled && settings.proxySource !== 'manual';
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = wanted ? setInterval(() => void this.read(), this.#options.interval ?? INTERVAL) : null;
    this.#timer?.unref();
    await this.read();
  }

  /** One reading after the other: an old answer must not come last. */
  async read(): Promise<void> {
    this.#reading = this.#reading.then(async () => this.#say(await findProxyFacts(this.#settings, this.#options)));
    await this.#reading;
  }

  close(): void {
    if (this.#timer) clearInterval(this.#timer);
  }

  /** Whether a script of the web that could not be read again goes on to count. */
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

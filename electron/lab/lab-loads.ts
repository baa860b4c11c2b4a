import type { LabBrowser } from './browser/lab-browser.ts';
import { BrowsingContext } from './browser/load-page.ts';
import type { PageTimings } from './browser/page-timings.ts';
import { pinnedScript } from './browser/pinned-script.ts';
import type { RecordedPage } from './page/recorded-page.ts';
import type { ReplayNetwork } from './replay/replay-network.ts';
import type { RequestCounts } from './replay/request-log.ts';
import type { LabRuns } from './results/lab-runs.ts';
import { Losses } from './results/losses.ts';
import { VARIANTS, type VariantPlan } from './variants.ts';

export interface LabLoadsOptions {
  page: RecordedPage;
  network: ReplayNetwork;
  start: (webSecurity: boolean) => Promise<LabBrowser>;
  /** Megabits per second; 0: no limit. */
  bandwidth: number;
}

/** Milliseconds without a request after which a page is complete; on top of that, two round trips. */
const QUIET = 300;
/** Milliseconds: some pages request something forever. */
const SETTLING_LIMIT = 30_000;

/** Loads of a case until one is complete. */
const TRIES = 3;

interface Visited {
  timings: PageTimings;
  counts: RequestCounts;
}

/** Runs the measured loads, each with an empty cache and new connections. */
export class LabLoads {
  readonly #options: LabLoadsOptions;
  readonly #losses = new Losses();
  readonly #browsers = new Map<boolean, Promise<LabBrowser>>();

  constructor(options: LabLoadsOptions) {
    this.#options = options;
  }

  async browserVersion(): Promise<string> {
    return await (await this.#browser(true)).version();
  }

  /** An unmeasured load in each browser that the loads will need. */
  async warmUp(): Promise<void> {
    const { counts } = await this.#visits(VARIANTS.http1, 0);
    this.#losses.isLossy(counts);
  }

  async load(runs: LabRuns): Promise<void> {
    const { variant, rtt } = runs.case;
    for (let tries = 1; ; tries += 1) {
      const { timings, counts } = await this.#visits(VARIANTS[variant], rtt);
      // Without the missing responses, the page would seem faster than it is.
      if (this.#losses.isLossy(counts) && tries < TRIES) continue;
      runs.add(timings, counts);
      return;
    }
  }

  /** Loads that lost responses so far. */
  get lossy(): number {
    return this.#losses.loads;
  }

  async close(): Promise<void> {
    const browsers = await Promise.allSettled(this.#browsers.values());
    for (const browser of browsers) if (browser.status === 'fulfilled') await browser.value.close();
  }

  #browser(webSecurity: boolean): Promise<LabBrowser> {
    const known = this.#browsers.get(webSecurity) ?? this.#options.start(webSecurity);
    this.#browsers.set(webSecurity, known);
    return known;
  }

  async #visits(plan: VariantPlan, rtt: number): Promise<Visited> {
    const { devtools } = await this.#browser(plan.preflights);
    const context = await BrowsingContext.open(devtools);
    try {
      // The visit that fills the cache is not measured.
      if (plan.cache !== 'empty') await this.#visit(context, plan, 0);
      return await this.#visit(context, plan, rtt);
    } finally {
      await context.close();
    }
  }

  async #visit(context: BrowsingContext, plan: VariantPlan, rtt: number): Promise<Visited> {
    const { page, network, bandwidth } = this.#options;
    const { log } = network.source;
    const overHttp2 = plan.protocol === 'baseline' ? page.wasHttp2 : plan.protocol === 'http2';
    network.begin(plan, overHttp2, { rtt, bandwidth });
    let { counts } = log;
    const timings = await context.visit({
      url: page.url,
      script: pinnedScript(page.startedAt),
      settled: async () => {
        await log.settled(QUIET + 2 * rtt, SETTLING_LIMIT);
        // Closing the page cuts what is still open.
        counts = log.counts;
      },
    });
    return { timings, counts };
  }
}

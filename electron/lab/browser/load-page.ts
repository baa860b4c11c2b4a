import { describe, roundtripError } from '../../failures/errors.ts';
import type { DevtoolsPipe } from './devtools-pipe.ts';
import { type PageTimings, pageTimings, TIMINGS_EXPRESSION } from './page-timings.ts';

/** The time limit of a navigation, milliseconds. */
const LOADING_LIMIT = 120_000;

export interface Visit {
  url: string;
  /** Runs before the page's own scripts. */
  script: string;
  /** Resolves when the page requests nothing more. */
  settled: () => Promise<void>;
}

/** A fresh cache and cookie store: visits in it share them. */
export class BrowsingContext {
  readonly #devtools: DevtoolsPipe;
  readonly #id: string;

  static async open(devtools: DevtoolsPipe): Promise<BrowsingContext> {
    const { browserContextId } = await devtools.call('Target.createBrowserContext');
    return new BrowsingContext(devtools, String(browserContextId));
  }

  private constructor(devtools: DevtoolsPipe, id: string) {
    this.#devtools = devtools;
    this.#id = id;
  }

  /** Loads a page in a new tab and measures it. Rejects with `lab.load-failed`. */
  async visit(visit: Visit): Promise<PageTimings> {
    const target = { url: 'about:blank', browserContextId: this.#id };
    const { targetId } = await this.#devtools.call('Target.createTarget', target);
    try {
      return await this.#measure(visit, String(targetId));
    } finally {
      await this.#devtools.call('Target.closeTarget', { targetId });
    }
  }

  async #measure({ url, script, settled }: Visit, targetId: string): Promise<PageTimings> {
    const devtools = this.#devtools;
    const { sessionId } = await devtools.call('Target.attachToTarget', { targetId, flatten: true });
    const session = String(sessionId);
    await devtools.call('Page.enable', {}, session);
    await devtools.call('Page.addScriptToEvaluateOnNewDocument', { source: script }, session);
    const loaded = limited(devtools.next('Page.loadEventFired', session), url);
    // The navigation may fail first; nothing waits for the event then.
    loaded.catch(() => undefined);
    const { errorText } = await devtools.call('Page.navigate', { url }, session);
    if (typeof errorText === 'string') throw roundtripError('lab.load-failed', { url, detail: errorText });
    await loaded;
    await settled();
    const expression = { expression: TIMINGS_EXPRESSION, returnByValue: true };
    const { result } = await devtools.call('Runtime.evaluate', expression, session);
    try {
      return pageTimings(String((result as { value?: unknown } | undefined)?.value));
    } catch (error) {
      throw roundtripError('lab.load-failed', { url, detail: describe(error) });
    }
  }

  async close(): Promise<void> {
    await this.#devtools.call('Target.disposeBrowserContext', { browserContextId: this.#id });
  }
}

async function limited(loaded: Promise<unknown>, url: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const detail = `it did not load within ${LOADING_LIMIT / 1000} s`;
    timer = setTimeout(() => reject(roundtripError('lab.load-failed', { url, detail })), LOADING_LIMIT);
  });
  await Promise.race([loaded, late]).finally(() => clearTimeout(timer));
}

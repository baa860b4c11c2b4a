import type { Contender, Running } from './contender.ts';
import { pageBrowser, windowBrowser } from './page-browsers.ts';
import type { Context, Round, Scenario } from './scenario.ts';

const IMAGES = 1000;
const LIMIT = 90_000;
const OURS = ['direct', 'tunnel', 'roundtrip', 'no window', 'no interception'];
const CONTENDERS = [...OURS, 'node-http', 'mockttp', 'mitmproxy'];
/** These offer the browser HTTP/2 regardless of the origin's protocol. */
const NOT_MIRRORED = ['node-http', 'mockttp'];

async function openPage(ui: string): Promise<{ close(): Promise<void> }> {
  const window = await windowBrowser();
  const context = await window.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  await page.goto(ui);
  await page.getByRole('combobox', { name: 'Filter' }).waitFor();
  return { close: () => context.close() };
}

/** Runs in the page. Times in milliseconds, as the browser itself measured them. */
function timesOfPage(): { load: number; ttfb: number; responses: number; shown: number; protocols: string[] } {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const responses = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
  return {
    load: navigation?.loadEventEnd ?? 0,
    ttfb: responses.reduce((sum, each) => sum + each.responseStart - each.requestStart, 0) / responses.length,
    responses: responses.length,
    shown: [...document.images].filter((image) => image.naturalWidth === 1).length,
    protocols: [...new Set(responses.map((each) => each.nextHopProtocol))],
  };
}

/** `protocol`: what the browser must have spoken; null: anything. */
async function loadPage(url: string, proxy: string | null, protocol: string | null): Promise<Round> {
  const browser = await pageBrowser(proxy, url);
  const context = await browser.newContext(
    proxy === null ? {} : { proxy: { server: `http://${proxy}`, bypass: '<-loopback>' } },
  );
  try {
    const page = await context.newPage();
    // Else the browser forgets all but 250.
    await page.addInitScript(() => performance.setResourceTimingBufferSize(2000));
    await page.goto(url, { waitUntil: 'load', timeout: LIMIT });
    await page.waitForFunction(
      () => (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).loadEventEnd > 0,
    );
    const { load, ttfb, responses, shown, protocols } = await page.evaluate(timesOfPage);
    if (responses !== IMAGES || shown !== IMAGES) throw new Error(`${responses} responses, ${shown} images shown`);
    if (protocol !== null && protocols.join() !== protocol) throw new Error(`it spoke ${protocols.join()}`);
    return { load: load * 1000, ttfb: ttfb * 1000 };
  } finally {
    await context.close();
  }
}

function urlOf({ ports }: Context, protocol: 'h1' | 'h2', delay: number): string {
  return `https://localhost:${protocol === 'h1' ? ports.ordinaryH1 : ports.ordinaryH2}/page/${delay}`;
}

function pageScenario(protocol: 'h1' | 'h2', delay: number, secondProxy: boolean): Scenario {
  const behind = secondProxy ? '-second' : '';
  const titled = [
    ...['1,000 images in Chromium', protocol === 'h1' ? 'HTTP/1.1' : 'HTTP/2'],
    ...(delay > 0 ? [`${delay} ms at the origin`] : []),
    ...(secondProxy ? ['behind a second proxy'] : []),
  ];
  const load = (context: Context, { name }: Contender, { proxy }: Running) => {
    const spoken = protocol === 'h1' ? 'http/1.1' : 'h2';
    return loadPage(urlOf(context, protocol, delay), proxy, NOT_MIRRORED.includes(name) ? null : spoken);
  };
  return {
    name: `page-${protocol}${delay > 0 ? `-${delay}ms` : ''}${behind}`,
    title: titled.join(', '),
    contenders: delay === 0 && !secondProxy ? CONTENDERS : OURS,
    ...{ metric: 'load', better: 'lower', ratiosTo: ['direct'], secondProxy, openPage },
    columns: [
      { metric: 'load', head: 'load ms', unit: 1000, digits: 0 },
      { metric: 'ttfb', head: 'mean TTFB ms', unit: 1000, digits: 1 },
    ],
    // The first load also mints and warms what later loads find.
    check: async (context, contender, running) => void (await load(context, contender, running)),
    measure: load,
  };
}

export const PAGE_SCENARIOS: readonly Scenario[] = ([0, 20, 100] as const).flatMap((delay) =>
  [false, true].flatMap((second) => (['h1', 'h2'] as const).map((protocol) => pageScenario(protocol, delay, second))),
);

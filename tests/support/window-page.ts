import path from 'node:path';
import { type Browser, type BrowserContext, chromium, expect, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from './chromium.ts';

type ContextOptions = Parameters<Browser['newContext']>[0];

/** Of all tests in this process: starting one costs as much as a window. */
let shared: Browser | null = null;

/** A browser for windows, without anything that another viewer's pages stored. */
export class Viewer {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  async newContext(options?: ContextOptions): Promise<BrowserContext> {
    const context = await this.#browser.newContext(options);
    this.#contexts.push(context);
    return context;
  }

  async newPage(options?: ContextOptions): Promise<Page> {
    return (await this.newContext(options)).newPage();
  }

  /** Closes its pages. */
  async close(): Promise<void> {
    for (const context of this.#contexts) await context.close();
  }
}

/** Rejects if `chromiumPath` finds no browser. */
export async function launchViewer(): Promise<Viewer> {
  if (!shared?.isConnected()) {
    shared = await chromium.launch({ executablePath: chromiumPath() ?? '', args: CHROMIUM_FLAGS });
  }
  return new Viewer(shared);
}

/** Resolves once the window handles keys and has the engine's state: a loading page ignores key presses. */
export async function windowReady(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Filter' }).waitFor();
  await page.getByText('Running', { exact: true }).waitFor();
}

/** Opens Roundtrip's window at `ui` in a new browser context, 1280 by 800 pixels. Resolves once it is ready. */
export async function openWindow(viewer: Viewer, ui: string): Promise<Page> {
  const page = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(ui);
  await windowReady(page);
  return page;
}

/** Resolves once the list shows what was asked for last: a busy machine needs several turns for that. */
export async function listArranged(page: Page): Promise<void> {
  await expect(page.locator('.arranging')).toHaveCount(0);
}

/** Filters the list. Resolves once it shows what the query finds; not for a search of recorded content. */
export async function filterList(page: Page, query: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Filter' }).fill(query);
  await listArranged(page);
}

/** Draws what the page shows as `name` into `folder`, light and dark; undefined: nothing is drawn. */
export async function takePictures(page: Page, folder: string | undefined, name: string): Promise<void> {
  if (folder === undefined) return;
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: path.join(folder, `${name}-${scheme}.png`) });
  }
}

import fs from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { windowBrowser } from '../runner/page-browsers.ts';
import { installProbe, type Probe } from './page-probe.ts';

const LIMIT = 120_000;

type Probed = Window & { probe: Probe };

/** The product's window in a browser, with what it records of itself. */
export class ProbedWindow {
  readonly page: Page;
  readonly #browser: Browser;
  readonly #ui: string;

  private constructor(page: Page, browser: Browser, ui: string) {
    this.page = page;
    this.#browser = browser;
    this.#ui = ui;
  }

  /** Resolves when it has all of its `rows`. */
  static async open(ui: string, rows: number): Promise<ProbedWindow> {
    const browser = await windowBrowser();
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.addInitScript(installProbe, rows.toLocaleString('en'));
    const opened = new ProbedWindow(page, browser, ui);
    await page.goto(opened.#ui);
    await opened.#complete();
    return opened;
  }

  async #complete(): Promise<void> {
    await this.page.waitForFunction(() => (window as unknown as Probed).probe.all > 0, null, { timeout: LIMIT });
  }

  async probe(): Promise<Probe> {
    return await this.page.evaluate(() => (window as unknown as Probed).probe);
  }

  /** Frames from now on are of this phase. */
  async enter(phase: string): Promise<void> {
    await this.page.evaluate((name) => {
      (window as unknown as Probed).probe.phase = name;
    }, phase);
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.#complete();
  }

  /** Bytes after a collection: JavaScript's heap, and what the renderer's process has in memory for itself (PSS). */
  async memory(): Promise<{ heap: number; renderer: number }> {
    const session = await this.page.context().newCDPSession(this.page);
    await session.send('HeapProfiler.collectGarbage');
    await session.send('Performance.enable');
    const { metrics } = await session.send('Performance.getMetrics');
    const heap = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
    const browser = await this.#browser.newBrowserCDPSession();
    const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
    // A browser keeps an empty renderer in reserve.
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => proportionalSize(id));
    return { heap, renderer: Math.max(...renderers) };
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

/** Bytes that a process holds, with its share of what it holds with others: proc_pid_smaps(5). */
function proportionalSize(pid: number): number {
  const rollup = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) * 1024;
}

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildDocs } from '../../../build/docs/build-docs.ts';
import { CHROMIUM_FLAGS, chromiumPath } from '../../support/chromium.ts';

const CHROMIUM = chromiumPath();

describe.skipIf(CHROMIUM === null)('the documentation, opened from disk without a network', () => {
  let site: string;
  let context: BrowserContext;
  const problems: string[] = [];

  beforeAll(async () => {
    site = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-site-'));
    await buildDocs(site);
    const browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args: CHROMIUM_FLAGS });
    context = await browser.newContext({ offline: true });
    context.on('requestfailed', (request) => problems.push(`${request.url()}: ${request.failure()?.errorText}`));
    context.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text());
    });
    context.on('weberror', (error) => problems.push(String(error.error())));
  });
  afterAll(async () => {
    await context?.browser()?.close();
    fs.rmSync(site, { recursive: true, force: true });
  });

  async function open(name: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(pathToFileURL(path.join(site, name)).href);
    return page;
  }

  it('finds pages by what they say, and opens the first with Enter', async () => {
    const page = await open('index.html');
    await page.locator('#search').fill('kerberos');
    const first = page.locator('#search-results a').first();
    const title = await first.textContent();
    const address = await first.evaluate((link) => (link as HTMLAnchorElement).href);
    await page.keyboard.press('Enter');
    await page.waitForURL(address);
    expect(await page.locator('h1').textContent()).toBe(title);
    expect((await page.textContent('main'))?.toLowerCase()).toContain('kerberos');
    await page.close();
  });

  it('shows every page with its pictures, and asks nothing of the network', async () => {
    const names = fs.readdirSync(site).filter((name) => name.endsWith('.html'));
    expect(names.length).toBeGreaterThan(30);
    const page = await open('index.html');
    for (const name of names) {
      await page.goto(pathToFileURL(path.join(site, name)).href);
      const missing = await page.$$eval('img', (images) =>
        Promise.all(
          images.map((image) =>
            image.decode().then(
              () => null,
              () => image.src,
            ),
          ),
        ),
      );
      expect(missing.filter((source) => source !== null)).toEqual([]);
    }
    await page.close();
    expect(problems).toEqual([]);
  });
});

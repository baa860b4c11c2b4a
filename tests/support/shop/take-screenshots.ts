import fs from 'node:fs';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from '../chromium.ts';
import { serveHost } from '../served-host.ts';
import { shopOrigin } from './shop-origin.ts';
import { browserThrough, visitShop } from './visit-shop.ts';

/** `npm run screenshots`: the README's pictures, of the built window with the shop's traffic. Takes a folder, docs/screenshots otherwise. */
const FOLDER = process.argv[2] ?? path.resolve(import.meta.dirname, '../../../docs/screenshots');
const SIZE = { width: 1280, height: 800 };

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, SIZE.height - 1);
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

async function open(page: Page, path: string, tab: string): Promise<void> {
  await page.getByRole('grid', { name: 'Exchanges' }).getByTitle(path).first().click();
  await page.getByRole('tab', { name: tab }).click();
  await page.waitForTimeout(400);
}

async function main(): Promise<void> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('No Chrome, Chromium or Edge here: CHROME_PATH names one.');
  fs.mkdirSync(FOLDER, { recursive: true });
  const shop = await shopOrigin();
  const host = await serveHost('--upstream-ca', shop.caPath);
  const viewer = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  const client = await browserThrough(executablePath, host);
  try {
    const page = await viewer.newPage({ viewport: SIZE });
    await page.goto(host.ui);
    await visitShop(client, shop);
    await page.waitForTimeout(600);
    await page.getByRole('grid', { name: 'Exchanges' }).evaluate((list) => list.scrollTo(0, 0));
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await page.waitForTimeout(200);
      await take(page, theme);
    }
    await open(page, '/v1/products?limit=6&sort=popular', 'Response');
    await take(page, 'inspector-dark');
    await page.emulateMedia({ colorScheme: 'light' });
    // The first exchange opened its connection: all phases are there.
    await page.locator('[data-exchange="1"]').click();
    await page.getByRole('tab', { name: 'Timings' }).click();
    await page.waitForTimeout(400);
    await take(page, 'inspector-light');
  } finally {
    await client.close();
    await viewer.close();
    await host.close();
    shop.close();
  }
}

await main();

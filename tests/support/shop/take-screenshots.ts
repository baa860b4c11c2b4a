import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from '../chromium.ts';
import { serveHost } from '../served-host.ts';
import { shopOrigin } from './shop-origin.ts';
import { browserThrough, visitShop } from './visit-shop.ts';

/**
 * `npm run screenshots`: the README's pictures, of the built window with the shop's traffic. Takes a folder,
 * docs/screenshots otherwise.
 */
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

/** Dialogs, by their buttons: a picture for the page about each. */
const OPENED: readonly (readonly [string, string])[] = [
  ['connect', 'Connect'],
  ['rules', 'Rules'],
  ['sessions', 'Sessions'],
  ['trust', 'CA trust'],
  ['upstream', 'Proxy settings'],
];

async function takeOpened(page: Page): Promise<void> {
  for (const [picture, name] of OPENED) {
    await page.getByRole('button', { name, exact: true }).first().click();
    await page.getByText('Checking trust stores').waitFor({ state: 'hidden' });
    if (picture === 'upstream') await page.getByText('Manual', { exact: true }).click();
    await page.waitForTimeout(600);
    await take(page, picture);
    await page.keyboard.press('Escape');
    await page.waitForTimeout(300);
  }
}

/** For the picture of the dialog: neither changes the shop's traffic. */
const RULES = {
  version: 1,
  rules: [
    { name: 'slow', when: 'total:>1s', do: [{ mark: { colour: 'orange', note: 'over a second' } }] },
    { name: 'checkout fails', enabled: false, when: 'method:POST path:/checkout', do: [{ answer: { status: 503 } }] },
  ],
};

function rulesFile(): string {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-screenshots-')), 'rules.json');
  fs.writeFileSync(file, JSON.stringify(RULES));
  return file;
}

async function main(): Promise<void> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('No Chrome, Chromium or Edge here: CHROME_PATH names one.');
  fs.mkdirSync(FOLDER, { recursive: true });
  const shop = await shopOrigin();
  const rules = rulesFile();
  const host = await serveHost('--upstream-ca', shop.caPath, '--rules', rules);
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
    await page.emulateMedia({ colorScheme: 'light' });
    await takeOpened(page);
    await page.emulateMedia({ colorScheme: 'dark' });
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
    fs.rmSync(path.dirname(rules), { recursive: true });
  }
}

await main();

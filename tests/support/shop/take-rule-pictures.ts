import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from '../chromium.ts';
import { serveHost } from '../served-host.ts';
import { type ShopOrigin, shopOrigin } from './shop-origin.ts';
import { browserThrough, visitShop } from './visit-shop.ts';

/**
 * The pictures of the pages about rules, scripts, the throttle and docs/replay.md: `npm run screenshots` takes them
 * after the others. Arguments: a folder (docs/screenshots), `light` or `dark`, and the size of the window (1280x800).
 */
const [FOLDER = path.resolve(import.meta.dirname, '../../../docs/screenshots'), THEME = 'light', SIZE = '1280x800'] =
  process.argv.slice(2);

const SOLD_OUT = `function onResponse(response) {
  const product = response.json();
  product.stock = 0;
  product.badge = 'sold out';
  response.body = product;
}`;

const RULES = [
  {
    name: 'sold out',
    enabled: false,
    group: 'product page',
    when: 'path:/v1/products/',
    do: [{ script: { code: SOLD_OUT } }],
  },
  { name: 'no profile', when: 'path:/v1/recommendations', do: [{ changeResponse: { status: 204 } }] },
  { name: 'slow search', when: 'path:/v1/search', do: [{ delay: { ms: 400 } }] },
  { name: 'hold the cart', when: 'method:POST path:/v1/cart', limit: 1, do: [{ break: { on: 'both' } }] },
];

interface Scene {
  page: Page;
  client: Browser;
  shop: ShopOrigin;
}

/** The parts of the window that pictures show: whole windows are several times as large. */
const PARTS = {
  dialog: (page: Page) => page.getByRole('dialog'),
  inspector: (page: Page) => page.getByRole('region', { name: 'Inspector' }),
  queue: (page: Page) => page.getByRole('region', { name: 'Breakpoints' }),
};

async function take(page: Page, name: string, part: keyof typeof PARTS): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
  await PARTS[part](page).screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

async function rowOf(page: Page, where: string) {
  const row = page.getByRole('grid', { name: 'Exchanges' }).getByTitle(where).first();
  await row.waitFor();
  return row;
}

async function fromMenu(page: Page, where: string, item: string): Promise<void> {
  await (await rowOf(page, where)).click({ button: 'right' });
  await page.getByRole('menuitem', { name: item }).click();
}

/** The queue, with the request of a visitor who puts a lamp into the cart. */
async function takeBreakpoint({ page, client, shop }: Scene): Promise<void> {
  const visitor = await client.newPage();
  await visitor.goto(`${shop.shop}/`, { waitUntil: 'load' });
  await visitor.evaluate("void buy('arc-lamp')");
  await page.getByRole('button', { name: '1 message held' }).click();
  await take(page, 'breakpoints', 'queue');
  const queue = page.getByRole('region', { name: 'Breakpoints' });
  await queue
    .getByRole('button', { name: /^Continue/ })
    .first()
    .click();
  await queue.getByText('201').first().waitFor();
  await queue
    .getByRole('button', { name: /^Continue/ })
    .first()
    .click();
  await visitor.close();
}

async function takeRules(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Rules', exact: true }).click();
  await page.getByRole('button', { name: 'Edit sold out' }).click();
  await page.getByLabel('1. Script: code').fill(SOLD_OUT.replace('response.json()', ''));
  await page.getByRole('alert').waitFor();
  await take(page, 'rule-form', 'dialog');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Edit sold out' }).click();
  await page.getByRole('button', { name: 'Try' }).click();
  const hit = page.locator('.trial').getByRole('group').first();
  await hit.locator('summary').click();
  await hit.scrollIntoViewIfNeeded();
  await take(page, 'rule-try', 'dialog');
  await page.keyboard.press('Escape');
  await fromMenu(page, '/v1/session', 'New rule');
  await page.getByRole('menuitem', { name: 'Mock with this response' }).click();
  await page.getByLabel('1. Answer: body', { exact: true }).waitFor();
  await take(page, 'rule-answer', 'dialog');
  await page.keyboard.press('Escape');
  await (await rowOf(page, '/v1/recommendations')).click();
  await page.getByRole('tab', { name: 'Rules' }).click();
  await take(page, 'rule-explained', 'inspector');
  await page.getByRole('button', { name: 'Throttle' }).click();
  await take(page, 'throttle', 'dialog');
  await page.keyboard.press('Escape');
}

async function takeReplays(page: Page): Promise<void> {
  await (await rowOf(page, '/v1/cart/items')).click();
  await page.keyboard.press('e');
  await take(page, 'compose', 'dialog');
  await page.keyboard.press('Escape');
  await (await rowOf(page, '/v1/search')).click();
  await page.keyboard.press('r');
  await page.getByRole('region', { name: 'Comparison with the original' }).waitFor();
  await page.getByRole('tab', { name: 'Timings' }).click();
  await page.waitForTimeout(1500);
  await take(page, 'resend', 'inspector');
  await fromMenu(page, '/v1/session', 'Repeat');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Times').fill('40');
  await dialog.getByLabel('At a time').fill('2');
  await dialog.getByRole('button', { name: 'Start' }).click();
  await dialog.getByText('40 of 40 sent').waitFor();
  await take(page, 'repeat', 'dialog');
  await page.keyboard.press('Escape');
}

async function main(): Promise<void> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('No Chrome, Chromium or Edge here: CHROME_PATH names one.');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-pictures-'));
  const file = path.join(folder, 'rules.json');
  fs.writeFileSync(file, JSON.stringify({ version: 1, rules: RULES.slice(0, -1) }));
  const shop = await shopOrigin();
  const host = await serveHost('--upstream-ca', shop.caPath, '--rules', file);
  const viewer = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  const client = await browserThrough(executablePath, host);
  try {
    const [width = 0, height = 0] = SIZE.split('x').map(Number);
    const page = await viewer.newPage({
      viewport: { width, height },
      colorScheme: THEME === 'dark' ? 'dark' : 'light',
    });
    page.setDefaultTimeout(6_000);
    await page.goto(host.ui);
    await visitShop(client, shop);
    await takeRules(page);
    await takeReplays(page);
    fs.writeFileSync(file, JSON.stringify({ version: 1, rules: RULES }));
    await page.waitForTimeout(1000);
    await takeBreakpoint({ page, client, shop });
  } finally {
    await client.close();
    await viewer.close();
    await host.close();
    shop.close();
    fs.rmSync(folder, { recursive: true });
  }
}

await main();

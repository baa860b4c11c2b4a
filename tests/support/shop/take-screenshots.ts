import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium, type Locator, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from '../chromium.ts';
import { serveHost } from '../served-host.ts';
import { shopOrigin } from './shop-origin.ts';
import { browserThrough, visitShop } from './visit-shop.ts';

/**
 * `npm run screenshots`: pictures of the built window with the shop's traffic, for the README and the documentation.
 * Takes a folder, docs/screenshots otherwise.
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

/** The list in both themes. Leaves the light one. */
async function takeThemes(page: Page): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.waitForTimeout(200);
    await take(page, theme);
  }
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

/** Dialogs that fit into a smaller picture, by their buttons. */
const SMALL: readonly (readonly [string, string])[] = [
  ['export', 'Export'],
  ['agents', 'Agents and tracing'],
  ['lab', 'Lab'],
];

async function takePart(page: Page, name: string, part: Locator): Promise<void> {
  await page.waitForTimeout(600);
  await part.screenshot({ path: path.join(FOLDER, `${name}.png`) });
  await page.keyboard.press('Escape');
  await page.waitForTimeout(300);
}

async function takeSmall(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog');
  const open = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
  for (const [picture, name] of SMALL) {
    await open(name);
    await takePart(page, picture, dialog);
  }
  await open('Proxy settings');
  await page.getByRole('tab', { name: 'Limits' }).click();
  await takePart(page, 'limits', dialog);
  await open('Connect');
  await page.getByLabel('Server to answer as').fill('https://api.example.com');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('answers as https://api.example.com').waitFor();
  await takePart(page, 'reverse', page.getByRole('region', { name: 'Programs without proxy settings' }));
}

const scrollToTop = (page: Page) =>
  page.getByRole('grid', { name: 'Exchanges' }).evaluate((list) => list.scrollTo(0, 0));

/** The upper part of the window, which is left as it was. */
async function takeUpperParts(page: Page): Promise<void> {
  const takeTop = (name: string, height: number) =>
    page.screenshot({ path: path.join(FOLDER, `${name}.png`), clip: { x: 0, y: 0, width: SIZE.width, height } });
  await page.getByRole('button', { name: 'Connections', exact: true }).click();
  await page.waitForTimeout(600);
  await takeTop('connections', 320);
  await page.getByRole('button', { name: 'Connections', exact: true }).click();
  await scrollToTop(page);
  const filter = page.getByRole('combobox', { name: 'Filter' });
  await filter.fill('host:api t');
  await page.waitForTimeout(600);
  await takeTop('filter', 420);
  await filter.fill('');
  await scrollToTop(page);
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
    await scrollToTop(page);
    await takeThemes(page);
    await takeOpened(page);
    await takeSmall(page);
    await takeUpperParts(page);
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

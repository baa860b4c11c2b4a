import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from '../chromium.ts';
import { serveHost } from '../served-host.ts';
import { shopOrigin } from './shop-origin.ts';
import { browserThrough, visitShop } from './visit-shop.ts';

/**
 * The pictures of docs/findings.md, docs/troubleshooting.md and docs/ci.md: `npm run screenshots` takes them after the
 * others. Takes a folder, docs/screenshots otherwise.
 */
const FOLDER = process.argv[2] ?? path.resolve(import.meta.dirname, '../../../docs/screenshots');

const BUDGET = {
  budget: ['count < 60', 'p95(ttfb) < 300ms where host:api type:json', 'count < 1 where status:>=500'],
};

/** A request for each page of a list: the shop alone gives no finding. */
const LISTED = "Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((page) => json('/v1/products?page=' + page)))";

async function listCarelessly(client: Browser, shop: string): Promise<void> {
  const page = await client.newPage();
  await page.goto(`${shop}/`, { waitUntil: 'load' });
  await page.evaluate(LISTED);
  await page.close();
}

async function take(page: Page, name: string): Promise<void> {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(500);
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}

/** The window with the findings of the shop, and with an exchange that failed. */
async function takeWindow(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^\d+ findings?$/ }).click({ timeout: 30_000 });
  await take(page, 'findings');
  await page.getByTitle('What is slow, wasteful or wrong in this session').click();
  const failed = page.getByRole('grid', { name: 'Exchanges' }).getByText('upstream.refused').first();
  await failed.click();
  await take(page, 'failure');
}

/** `roundtrip check` exits with 1: the shop is over its budget. */
async function takeReport(viewer: Browser, session: string): Promise<void> {
  const [budget, html] = ['budget.json', 'report.html'].map((name) => path.join(path.dirname(session), name));
  fs.writeFileSync(budget ?? '', JSON.stringify(BUDGET));
  const cli = path.resolve(import.meta.dirname, '../../../dist/cli.cjs');
  const args = [cli, 'check', path.basename(session), '--budget', budget ?? '', '--html', html ?? ''];
  try {
    execFileSync(process.execPath, args, { stdio: 'pipe', cwd: path.dirname(session) });
  } catch (error) {
    if (!fs.existsSync(html ?? '')) throw error;
  }
  const page = await viewer.newPage({ viewport: { width: 1000, height: 700 } });
  await page.goto(pathToFileURL(html ?? '').href);
  await take(page, 'report');
}

async function main(): Promise<void> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('No Chrome, Chromium or Edge here: CHROME_PATH names one.');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-pictures-'));
  const session = path.join(folder, 'shop.roundtrip');
  const shop = await shopOrigin();
  const host = await serveHost('--upstream-ca', shop.caPath, '--session', session);
  const viewer = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  const client = await browserThrough(executablePath, host);
  try {
    const page = await viewer.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(host.ui);
    await visitShop(client, shop);
    await listCarelessly(client, shop.shop);
    await takeWindow(page);
    await client.close();
    await host.close();
    await takeReport(viewer, session);
  } finally {
    await viewer.close();
    shop.close();
    fs.rmSync(folder, { recursive: true });
  }
}

await main();

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type PlainOrigin, plainOrigin } from '../support/plain-origin.ts';
import { type ServedHost, serveHost } from '../support/served-host.ts';
import { launchViewer, type Viewer } from '../support/window-page.ts';

const PICTURES = process.env.RULE_PICTURES;
const IMAGE_BYTES = 30_000;
const IMAGES = 4;

const RULES = {
  version: 1,
  rules: [
    { name: 'no match', when: 'path:/none', do: [{ mark: {} }] },
    {
      ...{ name: 'title', when: 'path:/page' },
      do: [
        {
          script: {
            code:
              'function onResponse(response) { response.body = response.body.replace("plain", "scripted"); ' +
              'console.log("changed"); }',
          },
        },
      ],
    },
  ],
};

let folder: string;
let origin: PlainOrigin;
let host: ServedHost;
let viewer: Viewer;

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-throttle-'));
  fs.writeFileSync(path.join(folder, 'rules.json'), JSON.stringify(RULES));
  origin = await plainOrigin((request, response) => {
    if (request.url?.startsWith('/image')) {
      response.writeHead(200, { 'content-type': 'text/plain' }).end('x'.repeat(IMAGE_BYTES));
      return;
    }
    const images = Array.from({ length: IMAGES }, (_, index) => `<script src="/image${index}" async></script>`);
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>plain</title>${images.join('')}`);
  });
  host = await serveHost('--rules', path.join(folder, 'rules.json'));
  viewer = await launchViewer();
});

test.afterEach(async () => {
  await viewer.close();
  await host.close();
  origin.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('a page loads at the speed of the chosen network, and a script changes it', async () => {
  const page = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(host.ui);
  await page.getByRole('button', { name: 'Throttle' }).click();
  await page.getByRole('radio', { name: /Slow 4G/ }).click();
  await expect(page.getByRole('button', { name: 'Throttle: Slow 4G' })).toBeAttached();
  const shots = async (name: string) => {
    if (PICTURES === undefined) return;
    for (const scheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.screenshot({ path: path.join(PICTURES, `${name}-${scheme}.png`) });
    }
  };
  await shots('throttle');
  await page.keyboard.press('Escape');

  const proxied = await viewer.newContext({ proxy: { server: host.proxy, bypass: '<-loopback>' } });
  const visited = await proxied.newPage();
  await visited.goto(`${origin.url}/page`, { waitUntil: 'load' });
  const loaded = await visited.evaluate(() => performance.now());
  // The page's two round trips (TCP, request), one for its parts, and their bytes at 1600 kbit/s.
  expect(loaded).toBeGreaterThanOrEqual(3 * 150 + (IMAGES * IMAGE_BYTES * 8) / 1600);
  expect(await visited.title()).toBe('scripted');

  await page.getByRole('button', { name: 'Rules', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Script console' })).toContainText('changed');
  await shots('console');
  await page.getByRole('button', { name: 'Edit title' }).click();
  await page.getByRole('button', { name: 'Try' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'recorded exchanges match' })).toContainText(/^1 of /);
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByLabel('Preset').selectOption({ label: 'No cache' });
  await page.getByRole('button', { name: 'Add rule' }).click();
  await page.getByRole('button', { name: 'Try' }).click();
  // Its result is then complete: a hit that is replaced while it opens would close again.
  await expect(page.getByRole('status').filter({ hasText: 'recorded exchanges match' })).toBeVisible();
  const hit = page.getByRole('dialog').getByRole('group').first();
  await hit.locator('summary').click();
  await expect(hit).toContainText('+ cache-control: no-cache');
  await shots('try-diff');
  await shots('try');
  await page.keyboard.press('Escape');
  await page.getByRole('row').filter({ hasText: '/page' }).first().click();
  await page.getByRole('tab', { name: 'Rules' }).click();
  await expect(page.getByText('Missed: path:/none does not hold')).toBeVisible();
  await shots('verdicts');
});

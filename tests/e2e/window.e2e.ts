import fs from 'node:fs';
import { chromium, expect, test } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type ImageOrigin, imageOrigin } from '../support/image-origin.ts';
import { serveHost } from '../support/served-host.ts';
import { browserThrough } from '../support/shop/visit-shop.ts';
import { filterList, launchViewer } from '../support/window-page.ts';

const IMAGES = 1000;
const EXECUTABLE = chromiumPath();

test.describe('the window', () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);

  for (const protocol of ['h1', 'h2'] as const) {
    test(`shows a page of ${IMAGES} images over ${protocol}, and exports it`, async () => {
      const origin: ImageOrigin = await imageOrigin(protocol, IMAGES);
      const host = await serveHost('--upstream-ca', origin.caPath);
      const [client, viewer] = [await browserThrough(EXECUTABLE ?? '', host), await launchViewer()];
      try {
        const window = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
        await window.goto(host.ui);
        const page = await client.newPage();
        const failed: string[] = [];
        page.on('requestfailed', (request) => failed.push(`${request.url()} ${request.failure()?.errorText}`));
        await page.goto(origin.url, { waitUntil: 'load' });
        expect(failed).toEqual([]);
        expect(await page.evaluate(() => [...document.images].filter((image) => image.naturalWidth === 1).length)).toBe(
          IMAGES,
        );
        // One more, of another host, that the filter is to leave out.
        await page.evaluate(
          (url) => fetch(url, { mode: 'no-cors' }),
          origin.url.replace('localhost', 'other.localhost'),
        );
        await window.getByRole('combobox', { name: 'Filter' }).fill('host:localhost -host:other');
        const grid = window.getByRole('grid', { name: 'Exchanges' });
        await expect(grid).toHaveAttribute('aria-rowcount', String(IMAGES + 2));

        await window.getByRole('button', { name: 'Export', exact: true }).first().click();
        const dialog = window.getByRole('dialog', { name: 'Export' });
        await dialog.getByLabel(/Only what is shown/).check();
        await dialog.getByRole('button', { name: `Export ${(IMAGES + 1).toLocaleString('en')} exchanges` }).click();
        const download = window.waitForEvent('download');
        await window.getByRole('link', { name: 'Download' }).click();
        const har = JSON.parse(fs.readFileSync(await (await download).path(), 'utf8'));
        expect(har.log.entries).toHaveLength(IMAGES + 1);
        const version = protocol === 'h1' ? 'HTTP/1.1' : 'HTTP/2.0';
        expect(
          har.log.entries.every(
            (entry: { response: { status: number; httpVersion: string } }) =>
              entry.response.status === 200 && entry.response.httpVersion === version,
          ),
        ).toBe(true);
      } finally {
        await client.close();
        await viewer.close();
        await host.close();
        origin.close();
      }
    });
  }

  test('filters, inspects, and toggles interception for the next exchange', async () => {
    const origin = await imageOrigin('h2', 3);
    const host = await serveHost('--upstream-ca', origin.caPath);
    const viewer = await launchViewer();
    try {
      const window = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
      await window.goto(host.ui);
      const client = await browserThrough(EXECUTABLE ?? '', host);
      await (await client.newPage()).goto(origin.url, { waitUntil: 'load' });
      await client.close();
      await window.getByRole('combobox', { name: 'Filter' }).fill('host:localhost');
      const grid = window.getByRole('grid', { name: 'Exchanges' });
      await expect(grid).toHaveAttribute('aria-rowcount', '5');

      await window.getByRole('combobox', { name: 'Filter' }).fill('host:localhost type:gif');
      await expect(grid).toHaveAttribute('aria-rowcount', '4');
      await filterList(window, 'host:localhost');

      await grid.getByRole('row').nth(1).click();
      await expect(window.getByRole('region', { name: 'Inspector' })).toBeVisible();
      await window.getByRole('tab', { name: 'Timings' }).click();
      await expect(window.getByRole('region', { name: 'Inspector' })).toContainText(/wait/i);

      const intercept = window.getByRole('button', { name: 'Interception' });
      await expect(intercept).toHaveAttribute('aria-pressed', 'true');
      await intercept.click();
      await expect(intercept).toHaveAttribute('aria-pressed', 'false');
      const second = await chromium.launch({
        executablePath: EXECUTABLE ?? '',
        args: [
          ...CHROMIUM_FLAGS,
          `--proxy-server=${host.proxy}`,
          '--proxy-bypass-list=<-loopback>',
          '--ignore-certificate-errors',
        ],
      });
      await (await second.newPage()).goto(origin.url, { waitUntil: 'load' });
      await expect(grid.getByText('CONNECT').first()).toBeVisible();
      await second.close();
    } finally {
      await viewer.close();
      await host.close();
      origin.close();
    }
  });
});

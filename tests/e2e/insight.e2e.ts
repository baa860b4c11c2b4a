import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { LIVE_EXCHANGES_LIMIT } from '../../shared/contract/insight-limits.ts';
import { writeSession } from '../performance/window/window-session.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { curl } from '../support/curl.ts';
import { plainOrigin } from '../support/plain-origin.ts';
import { serveHost } from '../support/served-host.ts';
import { launchViewer } from '../support/window-page.ts';

const EXECUTABLE = chromiumPath();

test.describe('findings in the window', () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);

  test('keep the newest row visible when their panel opens below a full list', async () => {
    const origin = await plainOrigin((_request, response) => response.end('a'));
    const url = origin.url.replace('127.0.0.1', 'localhost');
    const host = await serveHost();
    const browser = await launchViewer();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(host.ui);
      await curl(host, ...Array.from({ length: 60 }, (_, at) => `${url}/${at}`));
      const newest = page.getByRole('row').filter({ hasText: '/59' });
      await expect(newest).toBeInViewport({ ratio: 1 });
      await page.getByRole('button', { name: /findings?$/ }).click();
      await expect(page.getByRole('region', { name: 'Findings' })).toBeVisible();
      await expect(newest).toBeInViewport({ ratio: 1 });
    } finally {
      await browser.close();
      await host.close();
      origin.close();
    }
  });

  test('say that they are about the end of a session that is longer than they look back', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-long-'));
    const file = path.join(folder, 'long.roundtrip');
    writeSession(file, LIVE_EXCHANGES_LIMIT + 100);
    const host = await serveHost('--session', file);
    const browser = await launchViewer();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(host.ui);
      await page.getByRole('button', { name: /findings?$/ }).click();
      const panel = page.getByRole('region', { name: 'Findings' });
      await expect(panel.getByText('Covers the latest 100,000 exchanges')).toBeVisible();
    } finally {
      await browser.close();
      await host.close();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  test('say how many exchanges are damaged and left out', async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-damaged-'));
    const file = path.join(folder, 'damaged.roundtrip');
    writeSession(file, 20);
    const database = new DatabaseSync(file);
    database.exec("UPDATE detail SET row = 'x' WHERE exchange IN (3, 4)");
    database.close();
    const host = await serveHost('--session', file);
    const browser = await launchViewer();
    try {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.goto(host.ui);
      await page.getByRole('button', { name: /findings?$/ }).click();
      const panel = page.getByRole('region', { name: 'Findings' });
      await expect(panel.getByText('2 exchanges of the session are damaged and left out.')).toBeVisible();
    } finally {
      await browser.close();
      await host.close();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });

  test('appear while recording, mark rows, and show their rows with one click', async () => {
    const origin = await plainOrigin((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', connection: 'close' }).end('waste '.repeat(5000));
    });
    const url = origin.url.replace('127.0.0.1', 'localhost');
    const host = await serveHost();
    const browser = await launchViewer();
    try {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
      const page = await context.newPage();
      await page.goto(host.ui);
      await curl(host, '--compressed', ...Array.from({ length: 6 }, (_, at) => `${url}/${at}`));
      // A busy machine may add a finding about its own speed.
      await page.getByRole('button', { name: /findings?$/ }).click();
      const panel = page.getByRole('region', { name: 'Findings' });
      const title = panel.getByRole('button', { name: /came uncompressed/ });
      await expect(title).toHaveAccessibleName(/^6 /);
      await title.click();
      const grid = page.getByRole('grid', { name: 'Exchanges' });
      await expect(grid).toHaveAttribute('aria-rowcount', '7');
      // The list that shows a finding's rows also shows new ones.
      await curl(host, '--compressed', `${url}/6`);
      await curl(host, `${url}/last`);
      await expect(grid).toHaveAttribute('aria-rowcount', '8');
      await expect(grid.getByRole('img', { name: /^Finding/ })).toHaveCount(7);
      await expect(title).toHaveAttribute('aria-pressed', 'true');
      await title.click();
      await expect(grid).toHaveAttribute('aria-rowcount', '9');
      await panel.getByRole('button', { name: 'Exchange 3', exact: true }).first().click();
      await expect(page.getByRole('region', { name: 'Inspector' })).toBeVisible();
      for (const theme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        if (process.env.ROUNDTRIP_SHOTS)
          await page.screenshot({ path: `${process.env.ROUNDTRIP_SHOTS}/insight-${theme}.png` });
        expect((await new AxeBuilder({ page }).include('.insight').analyze()).violations).toEqual([]);
      }
      await curl(host, '-H', 'Sec-Fetch-Dest: document', `${url}/shop`);
      await curl(host, '-H', `Referer: ${url}/shop`, `${url}/shop.js`);
      await panel.getByRole('radio', { name: 'Pages' }).click();
      await expect(panel.getByRole('button', { name: /\/shop .* 2 requests/ })).toBeVisible();
      await expect(panel.getByRole('columnheader', { name: 'Served from' })).toBeVisible();
      if (process.env.ROUNDTRIP_SHOTS) await page.screenshot({ path: `${process.env.ROUNDTRIP_SHOTS}/pages.png` });
      expect((await new AxeBuilder({ page }).include('.insight').analyze()).violations).toEqual([]);
      await panel.press('Escape');
      await expect(panel).toBeHidden();
    } finally {
      await browser.close();
      await host.close();
      origin.close();
    }
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { recordPages } from '../support/page-session.ts';
import { serveHost } from '../support/served-host.ts';
import { launchViewer } from '../support/window-page.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.LAB_PICTURES;

test.skip(chromiumPath() === null, NO_CHROMIUM);

test('the lab measures a recorded page and shows the result', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-lab-e2e-'));
  const file = path.join(folder, 'pages.roundtrip');
  await recordPages(file, 'https', [6, 2]);
  const host = await serveHost('--session', file);
  const viewer = await launchViewer();
  try {
    const context = await viewer.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(host.ui);
    await page.getByRole('button', { name: 'Lab' }).click();
    const dialog = page.getByRole('dialog', { name: 'Lab' });
    const choice = dialog.getByRole('radiogroup', { name: 'Page' });
    await expect(choice.getByRole('radio')).toHaveCount(2);
    await expect(choice.getByRole('radio', { checked: true })).toHaveAccessibleName(
      /^https:\/\/shop\.test\/ \d\d:\d\d:\d\d · 7 requests · .+ · \d+/,
    );
    await choice.getByRole('radio', { name: /11 requests/ }).check();
    await dialog.getByLabel('Round trips, ms').fill('fast');
    await expect(dialog.getByText('Enter up to ten round trips')).toBeVisible();
    await expect(dialog.getByRole('button', { name: 'Measure' })).toBeDisabled();
    await dialog.getByLabel('Round trips, ms').fill('0');
    await dialog.getByLabel('Loads of each').fill('1');
    await dialog.getByRole('button', { name: 'Measure' }).click();
    await expect(dialog.getByRole('button', { name: 'Measuring' })).toBeDisabled();
    await expect(dialog.getByText('https://shop.test/: 11 responses of 2 origins')).toBeVisible({ timeout: 240_000 });
    await expect(dialog.getByRole('row', { name: /^HTTP\/2 / })).toBeVisible();
    await expect(dialog.getByRole('img', { name: /^HTTP\/1\.1 at 0 ms: \d+ requests in \d+ ms$/ })).toBeVisible();
    await expect(dialog.getByRole('list', { name: 'Colours' })).toContainText('Queued or connecting');
    const { violations } = await new AxeBuilder({ page }).include('dialog').analyze();
    expect(violations).toEqual([]);
    for (const colorScheme of PICTURES === undefined ? [] : (['light', 'dark'] as const)) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: path.join(PICTURES ?? '', `lab-${colorScheme}.png`) });
    }
  } finally {
    await viewer.close();
    await host.close();
    fs.rmSync(folder, { recursive: true, force: true });
  }
});

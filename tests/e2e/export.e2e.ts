import fs from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type PlainOrigin, plainOrigin } from '../support/plain-origin.ts';
import { requestThrough } from '../support/request-through.ts';
import type { ServedHost } from '../support/served-host.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.EXPORT_PICTURES;

let origin: PlainOrigin;
let host: ServedHost;
let scene: WindowScene;
let page: Page;

async function get(where: string): Promise<void> {
  const headers = { authorization: 'Bearer token-1234567890' };
  await requestThrough(host.proxy, `${origin.url}${where}`, { headers });
}

/** Nothing for axe to find, in both themes. */
async function look(name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    if (PICTURES) await page.screenshot({ path: path.join(PICTURES, `${name}-${colorScheme}.png`) });
    const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
  }
}

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.beforeEach(async () => {
  origin = await plainOrigin((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ path: request.url, echo: 'token-1234567890' }));
  });
  scene = await windowScene();
  ({ host, page } = scene);
  for (const where of ['/a', '/b', '/c?token=letmein-42', '/d', '/e']) await get(where);
  await expect(row('/e')).toBeVisible();
});

test.afterEach(async () => {
  await scene.close();
  origin.close();
});

const row = (text: string) => page.getByRole('row').filter({ hasText: text });
const selected = () => page.locator('.list [role=row][aria-selected=true]');

test('several rows are selected by pointer and keys, removed together and restored', async () => {
  await row('/b').click();
  await row('/d').click({ modifiers: ['Shift'] });
  await expect(page.getByText('3 selected')).toBeVisible();
  await row('/a').click({ modifiers: ['ControlOrMeta'] });
  await expect(selected()).toHaveCount(4);
  await look('selected');
  await page.keyboard.press('Escape');
  await expect(selected()).toHaveCount(1);
  await page.keyboard.press('Shift+ArrowDown');
  await expect(page.getByText('2 selected')).toBeVisible();
  await page.keyboard.press('Delete');
  await expect(page.getByTestId('counts')).toHaveText('3 exchanges');
  await expect(row('/c')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByTestId('counts')).toHaveText('5 exchanges');
  await page.locator('.list').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await expect(page.getByText('5 selected')).toBeVisible();
});

test('selected rows are exported in another format, after a look at what redaction replaces', async () => {
  await row('/b').click();
  await row('/d').click({ modifiers: ['Shift'] });
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export' });
  await expect(dialog.getByLabel('Only selected rows')).toBeChecked();
  await expect(dialog.getByText('8 values will be replaced')).toBeVisible();
  await dialog.getByRole('textbox', { name: 'Also replace what matches' }).fill('/d$');
  await dialog.getByRole('radio', { name: 'cURL script' }).click();
  await expect(dialog.getByText('5 values will be replaced')).toBeVisible();
  await look('dialog');
  await dialog.getByRole('button', { name: 'Export 3 exchanges' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Download' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/\.sh$/);
  const script = fs.readFileSync(await file.path(), 'utf8');
  expect(script.match(/^curl /gm)).toHaveLength(3);
  expect(script).toContain('/c?token=REDACTED');
  expect(script).not.toMatch(/letmein|1234567890/);
});

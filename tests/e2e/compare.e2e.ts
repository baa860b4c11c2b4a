import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { callHost } from '../support/call-host.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { type ExampleExchange, exampleExchange } from '../support/example-exchange.ts';
import { record, startRecorder } from '../support/recording.ts';
import { type ServedHost, serveHost } from '../support/served-host.ts';
import { takePictures } from '../support/window-page.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** A folder for screenshots, light and dark. */
const PICTURES = process.env.SESSION_PICTURES;

let folder: string;
let host: ServedHost;
let scene: WindowScene;
let page: Page;

async function sessionFile(name: string, exchanges: readonly ExampleExchange[]): Promise<string> {
  const file = path.join(folder, `${name}.roundtrip`);
  const recorder = await startRecorder(file);
  for (const [at, of] of exchanges.entries()) {
    const response = Buffer.from(JSON.stringify({ session: name, items: ['tea', 'milk'], at: 7 }));
    record(recorder, exampleExchange({ id: at + 1, startedAt: 1_790_000_000_000 + at * 40, ...of }), { response });
  }
  await recorder.close();
  return file;
}

const picture = (name: string) => takePictures(page, PICTURES, name);

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.beforeEach(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-compare-'));
  scene = await windowScene();
  ({ host, page } = scene);
});

test.afterEach(async () => {
  await scene.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('two open sessions are compared, and every difference leads to its rows', async () => {
  const get = (where: string, of: ExampleExchange = {}) => ({ ...of, request: { path: where } });
  const common = Array.from({ length: 12 }, (_, at) => get(`/assets/${at}.png`));
  const monday = await sessionFile('monday', [get('/'), get('/users/1'), get('/old'), ...common]);
  const slow = { response: { status: 500 }, timings: { wait: 400 } };
  const tuesday = await sessionFile('tuesday', [get('/'), get('/users/2', slow), ...common, get('/new')]);
  await callHost(host.ui, 'sessions.open', { path: monday });
  await callHost(host.ui, 'sessions.open', { path: tuesday });
  await page.getByRole('tab', { name: 'tuesday' }).waitFor();

  await page.getByRole('button', { name: 'Compare' }).click();
  const list = page.getByRole('region', { name: 'Compared exchanges' });
  await expect(list.getByRole('listitem').filter({ hasText: '/users/2' })).toContainText(
    'status 200 → 500, size 50 B → 51 B, wait 73.0 ms → 400 ms',
  );
  await expect(page.getByRole('radio', { name: 'Unchanged 0' })).toBeVisible();
  // What did not change would hide the rest.
  await expect(page.getByRole('radio', { name: /^Different \d+$/ })).toBeChecked();
  await picture('comparison');
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual(
    [],
  );
  await page.getByRole('radio', { name: 'Totals' }).click();
  await picture('comparison-totals');
  await page.getByRole('button', { name: /application\/json, exchanges before: 15/ }).click();
  await expect(page.getByRole('tab', { name: 'monday' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('combobox', { name: 'Filter' })).toHaveValue('type:application/json');

  await page.getByRole('tab', { name: 'Comparison' }).click();
  await page.getByRole('button', { name: /status 200 → 500/ }).click();
  const panel = page.getByRole('tabpanel');
  await expect(panel).toContainText('$.session');
  await expect(panel).toContainText('− "monday"');
  await picture('two-exchanges');
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual(
    [],
  );
  await page.getByRole('combobox', { name: 'Filter' }).fill('');
  await page.keyboard.press('Escape');

  await page.getByRole('tab', { name: 'Comparison' }).click();
  await page.getByRole('radio', { name: 'Gone 1' }).click();
  await page.getByRole('button', { name: 'before: exchange 3, status 200' }).click();
  await expect(page.getByRole('tabpanel')).toContainText('/old');

  await page.getByRole('tab', { name: 'Comparison' }).click();
  await page.getByRole('button', { name: 'Ignore…' }).click();
  await page.getByRole('textbox', { name: /Exchanges that match/ }).fill('path:/assets\npath:/old');
  await page.getByRole('checkbox', { name: 'phases' }).check();
  await page.getByRole('checkbox', { name: 'size' }).check();
  await picture('comparison-ignored');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('radio', { name: 'Unchanged 1', exact: true })).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Gone 0' })).toBeVisible();
  await expect(list.getByRole('listitem').filter({ hasText: '/users/2' })).not.toContainText('wait');
});

test('content is searched while results stream in', async () => {
  const where = (at: number) => ({ request: { path: `/item/${at}` } });
  const file = await sessionFile(
    'wednesday',
    Array.from({ length: 30 }, (_, at) => where(at)),
  );
  await callHost(host.ui, 'sessions.open', { path: file });
  await expect(page.getByTestId('counts')).toHaveText('30 exchanges');
  await page.getByRole('combobox', { name: 'Filter' }).fill('body:WEDNESDAY path:/item/2*');
  const bar = page.locator('.search-bar');
  await expect(bar).toContainText('Searched 30 exchanges: 11 found');
  await expect(page.getByTestId('counts')).toHaveText('11 of 30 exchanges');
  await picture('search');
  expect((await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual(
    [],
  );
  await page.getByRole('combobox', { name: 'Filter' }).fill('cookie:none');
  await expect(page.getByText('None of 30 exchanges match the filter.')).toBeVisible();
  await page.getByRole('combobox', { name: 'Filter' }).fill('');
  await expect(page.getByTestId('counts')).toHaveText('30 exchanges');
  await expect(bar).toHaveCount(0);
});

/**
 * Several removals are undone one by one, the last first; after a reload the status bar restores what the file keeps.
 */
async function bringBackAll(row: (at: number) => Locator): Promise<void> {
  for (const at of [2, 3]) {
    await row(at).click();
    await page.keyboard.press('Delete');
    await expect(row(at)).toHaveCount(0);
  }
  await page.keyboard.press('Control+z');
  await expect(row(3)).toBeVisible();
  await page.keyboard.press('Control+z');
  await expect(row(2)).toBeVisible();
  await row(2).click();
  await page.keyboard.press('Delete');
  await expect(row(2)).toHaveCount(0);
  await page.reload();
  await picture('removed');
  await page.getByRole('button', { name: 'Restore removed' }).click();
  await expect(row(2)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Restore removed' })).toHaveCount(0);
}

test('rows are pinned, marked, removed, cleared and restored', async () => {
  const own = await serveHost(
    '--session',
    await sessionFile(
      'kept',
      [1, 2, 3].map((at) => ({ request: { path: `/row/${at}` } })),
    ),
  );
  await page.goto(own.ui);
  const row = (at: number) => page.getByRole('row').filter({ hasText: `/row/${at}` });
  await row(3).click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Colour and note…' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('Ask about this one');
  await page.getByRole('radio', { name: 'green' }).check();
  await page.getByRole('checkbox', { name: 'Pin to the top of the list' }).check();
  await picture('mark');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('/row/3');
  await expect(row(3).getByRole('img', { name: 'Note: Ask about this one' })).toBeVisible();

  await row(1).click();
  await page.keyboard.press('Delete');
  await expect(row(1)).toHaveCount(0);
  await picture('marked');
  await page.reload();
  await expect(page.getByTestId('counts')).toHaveText('2 exchanges');
  await expect(page.getByRole('row').nth(1)).toContainText('/row/3');

  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect(row(3)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(3)).toBeVisible();
  await row(2).click();
  await page.keyboard.press('Delete');
  await expect(row(2)).toHaveCount(0);
  await page.keyboard.press('Control+z');
  await expect(row(2)).toBeVisible();
  await bringBackAll(row);
  await own.close();
});

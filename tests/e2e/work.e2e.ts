import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, type Locator, type Page, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { curl } from '../support/curl.ts';
import { serveHost } from '../support/served-host.ts';
import { shopOrigin } from '../support/shop/shop-origin.ts';
import { type VisitedShop, visitedShop } from '../support/shop/visited-shop.ts';
import { filterList, launchViewer, listArranged } from '../support/window-page.ts';

const EXECUTABLE = chromiumPath();

const gridOf = (page: Page) => page.getByRole('grid', { name: 'Exchanges' });
const filterOf = (page: Page) => page.getByRole('combobox', { name: 'Filter' });
const inspectorOf = (page: Page) => page.getByRole('region', { name: 'Inspector' });
const countOf = async (grid: Locator) => Number(await grid.getAttribute('aria-rowcount')) - 1;

/** The cells of a column in the drawn rows. */
function column(page: Page, name: string): Promise<string[]> {
  return gridOf(page).evaluate((grid, wanted) => {
    const heads = [...grid.querySelectorAll('[role=columnheader]')].map((head) => head.querySelector('button'));
    const at = heads.findIndex((head) => head?.textContent === wanted);
    return [...grid.querySelectorAll('[data-exchange]')].map((row) => row.children[at]?.textContent ?? '');
  }, name);
}

test.describe('work in the window', () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);

  let visited: VisitedShop;
  test.beforeAll(async () => {
    visited = await visitedShop(EXECUTABLE ?? '');
  });
  test.afterAll(() => visited?.close());

  test('sorts by a column, both ways and back', async () => {
    const page = await visited.open();
    const head = page.getByRole('columnheader', { name: 'Status' });
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'ascending');
    await head.getByRole('button').click();
    await expect(head).toHaveAttribute('aria-sort', 'descending');
    await gridOf(page).press('Home');
    // A failure counts as the highest status of all, and the 500 is next.
    const statuses = async () => (await column(page, 'Status')).filter((status) => /^\d+$/.test(status)).slice(0, 2);
    await expect.poll(statuses).toEqual(['500', '500']);
    await head.getByRole('button').click();
    await expect(page.getByRole('columnheader', { name: '#' })).toHaveAttribute('aria-sort', 'ascending');
  });

  test('filters, hints at what is missing, and names errors', async () => {
    const page = await visited.open();
    await filterOf(page).fill('host:images type:png');
    await expect
      .poll(async () => [...new Set(await column(page, 'Host'))])
      .toEqual([new URL(visited.shop.images).host]);
    await expect.poll(() => countOf(gridOf(page))).toBeGreaterThan(5);
    await filterOf(page).fill('status:>=');
    await expect(page.getByText('A number is expected here: write 404, 4xx, >=400 or 200..299.')).toBeVisible();
    await expect(filterOf(page)).toHaveAttribute('aria-invalid', 'false');
    await filterOf(page).fill('stats:404');
    await expect(page.getByRole('alert')).toContainText('There is no field stats');
    await expect(filterOf(page)).toHaveAttribute('aria-invalid', 'true');
    await filterOf(page).fill('host:nowhere.example');
    await page.getByRole('button', { name: 'Show all exchanges' }).click();
    await expect(filterOf(page)).toHaveValue('');
  });

  test('the timeline selects a window of time, by drag and by key', async () => {
    const page = await visited.open();
    const all = await countOf(gridOf(page));
    const box = await page.locator('.brush').boundingBox();
    if (!box) throw new Error('no timeline');
    // From the left edge: the first exchange begins there, however slow the visit was.
    await page.mouse.move(box.x, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.1, box.y + 40, { steps: 4 });
    await page.mouse.up();
    const clear = page.getByRole('button', { name: 'Clear time window' });
    await expect(clear).toBeVisible();
    await expect.poll(() => countOf(gridOf(page))).toBeLessThan(all);
    await listArranged(page);
    const dragged = await countOf(gridOf(page));
    expect(dragged).toBeGreaterThan(0);
    // For screen readers, the chart is its figures: those of the time window.
    await expect(
      page.getByRole('img', { name: /^\d+ requests?, (none|\d+ of them) failed, from .* to / }),
    ).toBeVisible();

    const end = page.getByRole('slider', { name: 'Time window end' });
    await end.focus();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(() => countOf(gridOf(page))).toBeGreaterThan(dragged);
    await page.keyboard.press('Escape');
    await expect(clear).toBeHidden();
    await expect(gridOf(page)).toHaveAttribute('aria-rowcount', String(all + 1));
    await page.keyboard.press('Shift+ArrowLeft');
    await expect(clear).toBeVisible();
  });

  test('at 1280 pixels with the inspector open, the whole width of the list is visible', async () => {
    const page = await visited.open();
    await gridOf(page).press('ArrowDown');
    await gridOf(page).press('Enter');
    await expect(inspectorOf(page)).toBeVisible();
    // The columns follow the list's width a frame later.
    await expect.poll(() => gridOf(page).evaluate((grid) => grid.scrollWidth - grid.clientWidth)).toBe(0);
    for (const name of ['URL', 'TTFB', 'Total', 'Waterfall']) {
      await expect(page.getByRole('columnheader', { name })).toBeInViewport({ ratio: 1 });
    }
    await expect(page.getByRole('columnheader', { name: 'Type' })).toHaveCount(0);
  });

  test('a column is widened by dragging and by keyboard, and keeps its width', async () => {
    const page = await visited.open();
    const head = page.getByRole('columnheader', { name: 'Host' });
    const width = async () => Math.round((await head.boundingBox())?.width ?? 0);
    const before = await width();
    await head.getByRole('button').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(width).toBe(before + 10);
    const handle = await head.locator('.column-handle').boundingBox();
    if (!handle) throw new Error('no handle');
    await page.mouse.move(handle.x + 4, handle.y + 10);
    await page.mouse.down();
    await page.mouse.move(handle.x + 34, handle.y + 10, { steps: 3 });
    await page.mouse.up();
    await expect.poll(width).toBe(before + 40);
    await page.reload();
    await expect.poll(width).toBe(before + 40);
  });

  test('the inspector shows bodies decoded from every coding, and saves them', async () => {
    const page = await visited.open();
    for (const [query, coding, holds] of [
      ['path:/v1/products?limit', 'zstd', '"Oak stool"'],
      ['path:/assets/shop.81d2.css', 'gzip', '.card-1 { display: grid; gap: 1px;'],
      ['path:/v1/products/arc-lamp', 'br', '"average": 4.6'],
    ] as const) {
      await filterList(page, query);
      await gridOf(page).getByRole('row').nth(1).click();
      await page.getByRole('tab', { name: 'Response' }).click();
      await expect(inspectorOf(page).getByText(`${coding} `)).toBeVisible();
      await expect(page.getByLabel('Body', { exact: true })).toContainText(holds);
    }
    await page.getByRole('radio', { name: 'Hex' }).click();
    await expect(page.getByLabel('Body as hex')).toContainText('000000');
    await page.getByRole('radio', { name: 'Decoded' }).click();
    await page.getByRole('button', { name: 'Save body' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('arc-lamp.json');
    expect(JSON.parse(fs.readFileSync(await saved.path(), 'utf8'))).toMatchObject({ slug: 'arc-lamp', price: 189 });
  });

  test('an image is shown as an image, and a failure with its message', async () => {
    const page = await visited.open();
    await filterList(page, 'path:/products/arc-lamp.png');
    await gridOf(page).getByRole('row').nth(1).click();
    await page.getByRole('tab', { name: 'Response' }).click();
    await expect(inspectorOf(page).getByText('560 × 400')).toBeVisible();
    await filterList(page, 'is:failed');
    await gridOf(page).getByRole('row').nth(1).click();
    await page.getByRole('tab', { name: 'Attempts' }).click();
    await expect(inspectorOf(page).getByRole('alert')).toContainText('upstream.refused');
  });

  test('a long body is loaded in steps, drawn only where it is visible, and saved whole', async () => {
    const page = await visited.open();
    const asked = await curl(visited.host, '-o', '/dev/null', `${visited.shop.api}/v1/catalogue.csv`);
    expect(asked).toMatchObject({ exitCode: 0, stderr: '' });
    await filterList(page, 'path:catalogue');
    await gridOf(page).getByRole('row').nth(1).click();
    await page.getByRole('tab', { name: 'Response' }).click();
    await expect(inspectorOf(page).getByText(/1\.0 MB of 2\.\d MB shown/)).toBeVisible();
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect(page.getByRole('button', { name: 'Load more' })).toBeHidden();
    const body = page.getByLabel('Body', { exact: true });
    await body.focus();
    await page.keyboard.press('End');
    await expect(body).toContainText('item-60000');
    expect(await body.locator('.line').count()).toBeLessThan(200);
    await page.getByRole('radio', { name: 'Hex' }).click();
    await page.getByLabel('Body as hex').focus();
    await page.keyboard.press('End');
    await expect(page.getByLabel('Body as hex')).toContainText('warehouse');
    await page.getByRole('button', { name: 'Save body' }).click();
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    const saved = fs.readFileSync(await (await download).path(), 'utf8');
    expect(saved.split('\n')).toHaveLength(60_000);
  });

  test('the selected row stays visible when the filter is removed', async () => {
    const page = await visited.open();
    await filterList(page, 'path:vendor');
    await gridOf(page).getByRole('row').nth(1).click();
    await page.getByRole('button', { name: 'Clear filter' }).click();
    await expect(page.getByRole('row', { selected: true })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole('row', { selected: true })).toContainText('vendor');
  });

  test('everything works by keyboard', async () => {
    const page = await visited.open();
    await page.keyboard.press('/');
    await page.keyboard.type('host:api meth');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.type('PO');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await expect(filterOf(page)).toHaveValue('host:api method:POST ');
    await page.keyboard.press('Escape');
    await listArranged(page);
    await gridOf(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await expect(inspectorOf(page)).toContainText('/v1/cart/items');
    await page.keyboard.press('2');
    await expect(page.getByRole('tab', { name: 'Request' })).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByLabel('Body', { exact: true })).toContainText('Gift, please wrap it');
    await page.getByRole('tab', { name: 'Request' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Response' })).toBeFocused();
    await gridOf(page).focus();
    await page.keyboard.press('ArrowDown');
    await expect(inspectorOf(page)).toContainText('/v1/checkout');
    await page.keyboard.press('Escape');
    await expect(inspectorOf(page)).toBeHidden();
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  });

  test('a body is searched, and the search stays for the next body', async () => {
    const page = await visited.open();
    await filterList(page, 'path:/v1/products?limit');
    await gridOf(page).getByRole('row').nth(1).click();
    await page.getByRole('tab', { name: 'Response' }).click();
    await page.getByLabel('Body', { exact: true }).focus();
    await page.keyboard.press('Control+f');
    const find = page.getByRole('textbox', { name: 'Find in body' });
    await expect(find).toBeFocused();
    await page.keyboard.type('"SLUG"');
    const count = inspectorOf(page).getByRole('status');
    await expect(count).toHaveText('1 of 6');
    await page.keyboard.press('Shift+Enter');
    await expect(count).toHaveText('6 of 6');
    await expect(page.locator('mark[data-current]')).toBeInViewport();
    await filterList(page, 'path:/v1/session');
    await gridOf(page).getByRole('row').nth(1).click();
    await expect(count).toHaveText('Not found');
    await find.focus();
    await page.keyboard.press('Escape');
    await expect(find).toBeHidden();
    await expect(page.getByLabel('Body', { exact: true })).toBeFocused();
    await gridOf(page).focus();
    await page.keyboard.press('Control+f');
    await expect(filterOf(page)).toBeFocused();
  });

  test("an exchange's menu copies it and filters by it, by pointer and by key", async () => {
    const page = await visited.open();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const row = gridOf(page).getByRole('row').filter({ hasText: '/v1/search' }).first();
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Copy as cURL' }).click();
    await expect(page.getByText('cURL command copied')).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/v1/search?q=lamp');
    await gridOf(page).focus();
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menuitem', { name: 'Resend', exact: true })).toBeFocused();
    const forms = page.getByRole('menuitem', { name: 'Copy as', exact: true });
    while (!(await forms.evaluate((item) => item === document.activeElement))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('menuitem', { name: 'PowerShell' })).toBeFocused();
    await page.keyboard.press('ArrowLeft');
    await expect(forms).toBeFocused();
    await expect(page.getByRole('menuitem', { name: 'PowerShell' })).toBeHidden();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await expect(gridOf(page)).toBeFocused();
    await page.keyboard.press('Shift+F10');
    const host = page.getByRole('menuitem', { name: 'Show only host' });
    while (!(await host.evaluate((item) => item === document.activeElement))) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    // Only root gets port 443 for the shop.
    const api = new URL(visited.shop.api).host;
    await expect(filterOf(page)).toHaveValue(`host:${api}`);
    await row.click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Show only path /v1/search' }).click();
    await expect(filterOf(page)).toHaveValue(`host:${api} path:/v1/search`);
    await expect.poll(() => countOf(gridOf(page))).toBe(2);
  });

  test('timings are shown next to those of another exchange', async () => {
    const page = await visited.open();
    await gridOf(page).getByRole('row').filter({ hasText: '/v1/search' }).first().click({ button: 'right' });
    await page.getByRole('menuitem', { name: 'Compare timings with this' }).click();
    await expect(inspectorOf(page)).toContainText('Select another exchange');
    await gridOf(page).getByRole('row').filter({ hasText: '/v1/session' }).first().click();
    await expect(inspectorOf(page).getByRole('button', { name: /GET \/v1\/search/ })).toBeVisible();
    const total = inspectorOf(page).getByRole('listitem').filter({ hasText: 'Total' });
    // Its server waits longer, but each time also depends on the machine.
    const difference = /[−+][\d.]+ m?s/;
    await expect(total).toContainText(difference);
    await page.getByRole('button', { name: 'Stop comparing' }).click();
    await expect(total).not.toContainText(difference);
  });

  test("a dialog's tabs are one stop of the Tab key", async () => {
    const page = await visited.open();
    await page.getByRole('button', { name: 'CA trust' }).first().click();
    await page.getByRole('tab', { name: 'Stores' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Certificate' })).toBeFocused();
    await expect(page.getByRole('tabpanel', { name: 'Certificate' })).toContainText('SHA-256');
    await page.keyboard.press('Home');
    await expect(page.getByRole('tabpanel', { name: 'Stores' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'CA trust' }).first()).toBeFocused();
  });

  test('the page logged no error', () => {
    expect(visited.complaints).toEqual([]);
  });
});

test.describe('toggles', () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);

  test('apply to the next exchange, and survive a restart', async () => {
    const shop = await shopOrigin();
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-toggles-'));
    const viewer = await launchViewer();
    const start = async () => {
      const host = await serveHost('--upstream-ca', shop.caPath, '--data-dir', folder);
      const page = await viewer.newPage();
      await page.goto(host.ui);
      return { host, page, toggle: (name: string) => page.getByRole('button', { name }) };
    };
    const ask = async (proxy: string, name: string) => {
      const through = { proxy, caPath: path.join(folder, 'ca.crt') };
      return (await curl(through, '-o', '/dev/null', '-w', '%{http_version}', `${shop.api}/v1/${name}`)).stdout;
    };
    try {
      const first = await start();
      expect(await ask(first.host.proxy, 'session')).toBe('2');
      await first.toggle('HTTP/2').click();
      await expect(first.toggle('HTTP/2')).toHaveAttribute('aria-pressed', 'false');
      expect(await ask(first.host.proxy, 'cart')).toBe('1.1');
      await first.toggle('Recording').click();
      await expect(first.page.getByText('Paused: traffic is forwarded')).toBeVisible();
      expect(await ask(first.host.proxy, 'recommendations')).toBe('1.1');
      await first.toggle('Recording').click();
      await expect(first.toggle('Recording')).toHaveAttribute('aria-pressed', 'true');
      expect(await ask(first.host.proxy, 'search')).toBe('1.1');
      await expect(gridOf(first.page).getByText('/v1/search')).toBeVisible();
      await expect.poll(() => column(first.page, 'Path')).toEqual(['/v1/session', '/v1/cart', '/v1/search']);
      await first.toggle('Theme').click();
      await expect(first.toggle('Theme')).toHaveAttribute('title', 'Theme: light');
      await first.host.close();

      const second = await start();
      await expect(second.toggle('HTTP/2')).toHaveAttribute('aria-pressed', 'false');
      await expect(second.toggle('Theme')).toHaveAttribute('title', 'Theme: light');
      expect(await ask(second.host.proxy, 'cart')).toBe('1.1');
      await second.host.close();
    } finally {
      await viewer.close();
      shop.close();
      fs.rmSync(folder, { recursive: true, force: true });
    }
  });
});

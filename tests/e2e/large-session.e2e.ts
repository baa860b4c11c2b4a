import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { firstSorted, writeSession } from '../performance/window/window-session.ts';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { filterList } from '../support/window-page.ts';
import { type WindowScene, windowScene } from '../support/window-scene.ts';

/** Enough that no order is computed within one slice. */
const ROWS = 60_000;

let scene: WindowScene;
let folder: string;

test.skip(chromiumPath() === null, NO_CHROMIUM);

test.afterEach(async () => {
  await scene?.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

/** Runs in the page: keeps what the list shows about its order while it is computed. */
function watchArranging(): void {
  // Nothing at first: other parts of the page may change before the sort.
  const said = [''];
  Object.assign(window, { said });
  new MutationObserver(() => {
    const text = document.querySelector('.arranging')?.textContent ?? '';
    // Other parts of the page change too, before the first sort as well.
    if (text !== (said.at(-1) ?? '')) said.push(text);
  }).observe(document.body, { childList: true, subtree: true });
}

/** Runs in the page: clicks two headers within one task, faster than any user can. */
function sortTwice([first, second]: readonly [string, string]): void {
  const headers = [...document.querySelectorAll<HTMLElement>('[role="columnheader"] button')];
  for (const name of [first, second]) headers.find((each) => each.textContent === name)?.click();
}

/** Runs in the page. */
function markDrawnRows(): void {
  for (const row of document.querySelectorAll<HTMLElement>('[data-exchange]')) row.dataset.marked = 'yes';
}

/** Runs in the page: how many rows have other elements than those that were marked. */
function countUnmarkedRows(): number {
  return document.querySelectorAll('[data-exchange]:not([data-marked])').length;
}

/** Runs in the page: clears the filter and clicks a header within one task. */
function clearAndSort(name: string): void {
  const box = document.querySelector<HTMLInputElement>('[role="combobox"][aria-label="Filter"]');
  if (box === null) throw new Error('there is no filter');
  // React overrides the element's own setter, and would take the change for its own.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(box, '');
  box.dispatchEvent(new Event('input', { bubbles: true }));
  const headers = [...document.querySelectorAll<HTMLElement>('[role="columnheader"] button')];
  headers.find((each) => each.textContent === name)?.click();
}

test('in a large session, a sort shows progress, a newer one replaces it, and a jump keeps drawn rows', async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'roundtrip-large-'));
  const file = path.join(folder, 'large.roundtrip');
  writeSession(file, ROWS);
  scene = await windowScene('--session', file);
  const { page } = scene;
  await expect(page.getByTestId('counts')).toContainText('60,000 exchanges');
  await page.evaluate(watchArranging);
  const firstRow = page.locator('[aria-rowindex="2"]');
  await page.getByRole('columnheader', { name: 'Path' }).getByRole('button').first().click();
  await expect(firstRow).toHaveAttribute('data-exchange', String(firstSorted(ROWS)));
  await expect(page.locator('.arranging')).toHaveCount(0);
  expect(await page.evaluate(() => (window as unknown as { said: string[] }).said)).toEqual([
    '',
    'Sorting and filtering…',
    '',
  ]);
  await page.evaluate(sortTwice, ['Host', '#'] as const);
  await expect(firstRow).toHaveAttribute('data-exchange', '1');
  await expect(page.getByRole('columnheader', { name: '#' })).toHaveAttribute('aria-sort', 'ascending');
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await page.evaluate(markDrawnRows);
  await page.getByRole('grid', { name: 'Exchanges' }).evaluate((grid) => {
    grid.scrollTop = grid.scrollHeight / 2;
  });
  await expect(page.locator(`[data-exchange="${ROWS / 2}"]`)).toBeVisible();
  // Rows beyond the visible ones are drawn on both sides in the middle, at the top on one.
  expect(await page.evaluate(countUnmarkedRows)).toBeLessThan(8);

  // The few rows of the filter end in view: with all rows back, the list would go to its end and the order to the top.
  await filterList(page, 'path:/!');
  await expect(page.getByTestId('counts')).toContainText('1 of 60,000');
  await page.evaluate(clearAndSort, 'Total');
  await expect(page.getByTestId('counts')).not.toContainText(' of ');
  await expect(firstRow).toHaveAttribute('data-exchange', String(firstSorted(ROWS)));
  await expect(firstRow).toBeInViewport();
});

import { expect, type Locator, test } from '@playwright/test';
import { chromiumPath, NO_CHROMIUM } from '../support/chromium.ts';
import { curl } from '../support/curl.ts';
import { plainOrigin } from '../support/plain-origin.ts';
import { serveHost } from '../support/served-host.ts';
import { launchViewer } from '../support/window-page.ts';

const EXECUTABLE = chromiumPath();

/** The first column's cell of a row. */
const numberOf = (row: Locator) => row.getByRole('gridcell').first();

test.describe('the list follows new exchanges', () => {
  test.skip(EXECUTABLE === null, NO_CHROMIUM);

  test('until the user scrolls up or opens a row, and has room for its numbers', async () => {
    const origin = await plainOrigin((_request, response) => response.end('here'));
    const host = await serveHost();
    const viewer = await launchViewer();
    try {
      const page = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
      await page.goto(host.ui);
      const grid = page.getByRole('grid', { name: 'Exchanges' });
      const row = (id: number) => grid.locator(`[data-exchange="${id}"]`);
      const ask = async (from: number, to: number) => {
        const asked = await curl(host, '-o', '/dev/null', `${origin.url}/[${from}-${to}]`);
        expect(asked.exitCode).toBe(0);
        await expect(grid).toHaveAttribute('aria-rowcount', String(to + 1));
      };
      await ask(1, 60);
      await expect(row(60)).toBeInViewport({ ratio: 1 });
      await expect(row(1)).toHaveCount(0);

      await grid.hover();
      await page.mouse.wheel(0, -10_000);
      await expect(row(1)).toBeInViewport({ ratio: 1 });
      await ask(61, 80);
      await expect(row(1)).toBeInViewport({ ratio: 1 });
      await expect(row(80)).toHaveCount(0);

      await page.mouse.wheel(0, 10_000);
      await expect(row(80)).toBeInViewport({ ratio: 1 });
      await ask(81, 100);
      await expect(row(100)).toBeInViewport({ ratio: 1 });

      const room = await numberOf(row(100)).evaluate((cell) => {
        const context = document.createElement('canvas').getContext('2d');
        const { font, paddingLeft, paddingRight } = getComputedStyle(cell);
        if (context) context.font = font;
        const needed = context?.measureText('100000').width ?? Number.NaN;
        return cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - needed;
      });
      expect(room).toBeGreaterThanOrEqual(0);

      await row(95).click();
      await expect(page.getByRole('region', { name: 'Inspector' })).toBeVisible();
      await ask(101, 140);
      await expect(row(95)).toBeInViewport({ ratio: 1 });
      await expect(row(140)).toHaveCount(0);
    } finally {
      await viewer.close();
      await host.close();
      origin.close();
    }
  });
});

import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../support/chromium.ts';

/** The window in a real browser. Rejects if this machine has none. */
export async function openChromium(ui: string): Promise<{ close(): Promise<void> }> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error('there is no Chromium: name one by CHROME_PATH');
  const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
  const page = await browser.newPage();
  await page.goto(ui);
  await page.getByRole('grid').first().waitFor();
  return { close: () => browser.close() };
}

import path from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, chromiumPath } from './chromium.ts';

/** A browser for windows. Rejects if `chromiumPath` finds none. */
export function launchViewer(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath() ?? '', args: CHROMIUM_FLAGS });
}

/** Opens Roundtrip's window at `ui` in a new browser context, 1280 by 800 pixels. Resolves once it shows the filter. */
export async function openWindow(viewer: Browser, ui: string): Promise<Page> {
  const page = await (await viewer.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
  await page.goto(ui);
  await page.getByRole('combobox', { name: 'Filter' }).waitFor();
  return page;
}

/** Draws what the page shows as `name` into `folder`, light and dark; undefined: nothing is drawn. */
export async function takePictures(page: Page, folder: string | undefined, name: string): Promise<void> {
  if (folder === undefined) return;
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: path.join(folder, `${name}-${scheme}.png`) });
  }
}

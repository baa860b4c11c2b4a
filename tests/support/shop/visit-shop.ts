import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../chromium.ts';
import type { ServedHost } from '../served-host.ts';
import type { ShopOrigin } from './shop-origin.ts';

/** A browser set up for the proxy; in addition to its usual roots it trusts only our CA. */
export function browserThrough(executablePath: string, host: Pick<ServedHost, 'proxy' | 'spki'>): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: [
      ...CHROMIUM_FLAGS,
      `--proxy-server=${host.proxy}`,
      // The browser's own requests bypass the proxy, as before.
      '--proxy-bypass-list=<-loopback>;*.google.com;*.googleapis.com;*.gstatic.com',
      `--ignore-certificate-errors-spki-list=${host.spki}`,
    ],
  });
}

/** What a visitor does: looks around, buys, and meets an error. */
export async function visitShop(browser: Browser, { shop }: ShopOrigin): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${shop}/`, { waitUntil: 'load' });
  await wait(450);
  await page.evaluate("buy('arc-lamp')");
  await wait(700);
  await page.goto(`${shop}/lamps`, { waitUntil: 'networkidle' });
  await wait(400);
  await page.evaluate("buy('arc-lamp')");
  await page.close();
}

import { type Browser, chromium, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS } from '../chromium.ts';
import { type ServedHost, serveHost } from '../served-host.ts';
import { type ShopOrigin, shopOrigin } from './shop-origin.ts';
import { browserThrough, visitShop } from './visit-shop.ts';

export interface VisitedShop {
  shop: ShopOrigin;
  host: ServedHost;
  viewer: Browser;
  /** The window in its own page, once the whole visit is in it. The page's errors are added to `complaints`. */
  open(theme?: 'light' | 'dark', size?: { width: number; height: number }): Promise<Page>;
  complaints: string[];
  close(): Promise<void>;
}

/** A host whose session holds a visit to the shop. */
export async function visitedShop(executablePath: string): Promise<VisitedShop> {
  const shop = await shopOrigin();
  const host = await serveHost('--upstream-ca', shop.caPath);
  const viewer = await chromium.launch({ executablePath, args: CHROMIUM_FLAGS });
  const client = await browserThrough(executablePath, host);
  await visitShop(client, shop);
  await client.close();
  const complaints: string[] = [];
  return {
    shop,
    host,
    viewer,
    complaints,
    open: async (theme = 'light', size = { width: 1280, height: 800 }) => {
      const page = await (await viewer.newContext({ colorScheme: theme, viewport: size })).newPage();
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(host.ui);
      await page.getByRole('grid', { name: 'Exchanges' }).getByText('/v1/checkout').last().waitFor();
      return page;
    },
    close: async () => {
      await viewer.close();
      await host.close();
      shop.close();
    },
  };
}

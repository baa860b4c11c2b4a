import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath } from '../../support/chromium.ts';
import { type FaultyClient, inTurn } from './client.ts';

/** Chromium's fetch, each in a context that shares no connection with another. */
export const chromiumPages: FaultyClient = {
  name: 'Chromium',
  races: {
    // It asks again with HTTP/1.1, which the origin's TLS refuses, unless it handled the head before the reset arrived.
    'after/rst-13': ['net::ERR_HTTP_1_1_REQUIRED', 'net::ERR_SSL_PROTOCOL_ERROR'],
  },
  missing: () => (chromiumPath() === null ? 'no Chromium' : null),
  outcomes: async ({ port, proxyPort }, faults) => {
    const proxy =
      proxyPort === null ? {} : { proxy: { server: `http://127.0.0.1:${proxyPort}`, bypass: '<-loopback>' } };
    const browser = await chromium.launch({
      executablePath: chromiumPath() ?? '',
      // The blank page that asks is of another origin.
      args: [...CHROMIUM_FLAGS, '--disable-web-security'],
      ...proxy,
    });
    try {
      return await inTurn(faults, async (fault) => {
        const context = await browser.newContext({ ignoreHTTPSErrors: true });
        const page = await context.newPage();
        const url = `https://localhost:${port}/${fault}`;
        const outcome = new Promise<string>((resolve) => {
          page.on('requestfinished', (request) => request.url() === url && resolve('finished'));
          page.on('requestfailed', (request) => {
            if (request.url() === url) resolve(request.failure()?.errorText ?? 'failed');
          });
        });
        // For some faults nothing is reported.
        const late = new Promise<string>((resolve) => setTimeout(resolve, 20_000, 'no end'));
        const asked = page.evaluate((at) => fetch(at).then((response) => response.text()), url);
        asked.catch(() => {});
        const seen = await Promise.race([outcome, late]);
        await context.close();
        return seen;
      });
    } finally {
      await browser.close();
    }
  },
};

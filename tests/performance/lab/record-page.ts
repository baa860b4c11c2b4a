import { chromium } from 'playwright-core';
import { CHROMIUM_FLAGS, chromiumPath, NO_CHROMIUM } from '../../support/chromium.ts';
import { Child } from '../runner/child.ts';

/** Milliseconds for the proxy to start, or to end. */
const LIMIT = 60_000;

/**
 * Loads a page `times` times through the built `roundtrip record`, in a real Chromium, each time with an empty cache.
 * `folder`: of its data; `file`: the session to write.
 */
export async function recordPage(url: string, times: number, folder: string, file: string): Promise<void> {
  const executablePath = chromiumPath();
  if (executablePath === null) throw new Error(NO_CHROMIUM);
  const options = ['--json', '--port', '0', '--ui-port', '0', '--data-dir', folder, '--session', file];
  const args = ['dist/cli.cjs', 'record', ...options, '--har', `${file}.har`, '--insecure-upstream'];
  const roundtrip = new Child({ command: process.execPath, args });
  try {
    const { proxy } = await roundtrip.line<{ proxy: string }>(LIMIT);
    const browser = await chromium.launch({
      executablePath,
      args: CHROMIUM_FLAGS,
      proxy: { server: proxy, bypass: '<-loopback>' },
    });
    try {
      for (let time = 0; time < times; time += 1) {
        const page = await browser.newPage({ ignoreHTTPSErrors: true });
        await page.goto(url, { waitUntil: 'load', timeout: LIMIT });
        await page.close();
      }
    } finally {
      await browser.close();
    }
    roundtrip.process.kill('SIGINT');
    await roundtrip.line(LIMIT);
  } finally {
    await roundtrip.stop();
  }
}
